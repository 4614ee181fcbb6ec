import type { Catalogue } from "../../catalogue/index.ts";
import type { Database } from "../../db/database.ts";
import { MAX_AHEAD_MS, readMarkAhead, resetMark } from "../../db/clock.ts";
import { skipDepositAddresses } from "../../db/backup/deposit-indexes.ts";
import { inTransaction } from "../../db/transaction.ts";
import { amountText } from "./held-commands.ts";
import {
  OperatorError,
  type Options,
  readOperator,
  readOptions,
  recordAction,
  storedNetwork,
} from "../../admin/index.ts";
import { bookUnknownPayment, dismissUnknownPayment } from "../payouts/decide-unknown.ts";
import { unbookUnknownPayment } from "../payouts/replacement/unbook.ts";
import { type MayBe, type MayBeOrder, PaysAgainError } from "../payouts/payable.ts";
import { adoptionTexts, exchangesPaidBy } from "./unknown-fundings.ts";
import { listUnknownPayments, type UnknownPayment } from "../payouts/unknown-payments.ts";
import type { CorrectPayment, CorrectWithdrawal } from "../port.ts";

export const RECOVERY_HELP = `npm run admin -- backup FILE
npm run admin -- restore FILE
npm run admin -- unknown-payments
npm run admin -- unknown-payment book <network> <transaction> <payment> REASON --as NAME
npm run admin -- unknown-payment unbook <network> <transaction> REASON --as NAME
npm run admin -- unknown-payment dismiss <network> <transaction> REASON --as NAME [--pays-again] [--adjusted]
npm run admin -- skip-addresses REASON --as NAME
npm run admin -- reset-clock REASON --as NAME`;

const COMMANDS: ReadonlySet<string> = new Set(["unknown-payments", "unknown-payment", "skip-addresses", "reset-clock"]);

/** Where no orders are at hand, only what owes exactly what was paid can be booked. */
const correctsNothing: CorrectPayment = async (_, { txId, orderId }) => {
  throw new OperatorError(`${txId} does not pay what order ${orderId} owes.`);
};

/**
 * Runs a command for the time after a restore, and returns its output. Null for any other. `correct` and `correctWithdrawal` make an order, or a
 * withdrawal, say what it was paid.
 * Throws `OperatorError`.
 */
export async function runRecoveryCommand(
  database: Database,
  catalogue: Pick<Catalogue, "instruments" | "terms">,
  given: readonly string[],
  correct: CorrectPayment = correctsNothing,
  correctWithdrawal?: CorrectWithdrawal,
): Promise<string | null> {
  if (!COMMANDS.has(given[0] ?? "")) return null;
  const isDismissal = given[0] === "unknown-payment" && given[1] === "dismiss";
  const { words, options } = readOptions(given, isDismissal ? ["as", "pays-again", "adjusted"] : ["as"]);
  const [command, first = "", second = "", third = ""] = words;
  switch (command) {
    case "unknown-payments":
      return describe(database, catalogue);
    case "unknown-payment": {
      const named = { network: storedNetwork(second), txId: third, at: new Date() };
      if (first === "book") return book({ database, catalogue, correct, correctWithdrawal }, named, words, options);
      if (first === "unbook") return unbook({ database, correctWithdrawal }, named, words, options);
      if (first === "dismiss") return dismiss({ database, catalogue }, named, words, options);
      throw new OperatorError(RECOVERY_HELP);
    }
    case "skip-addresses": {
      const operator = readOperator(options, words.slice(1));
      await inTransaction(database, async (transaction) => {
        await skipDepositAddresses(transaction);
        const action = { action: "skip addresses", subject: "deposit addresses", before: {}, after: {} };
        await recordAction(transaction, operator, action);
      });
      return "Deposit addresses that may have been given out after the backup are skipped.";
    }
    case "reset-clock": {
      const operator = readOperator(options, words.slice(1));
      const seconds = await inTransaction(database, async (transaction) => {
        const aheadMs = await readMarkAhead(transaction);
        if (aheadMs === null || aheadMs <= MAX_AHEAD_MS)
          throw new OperatorError("The time is not ahead of the database's.");
        await resetMark(transaction);
        const before = { aheadSeconds: Math.round(aheadMs / 1_000) };
        await recordAction(transaction, operator, {
          action: "reset clock",
          subject: "business clock",
          before,
          after: {},
        });
        return before.aheadSeconds;
      });
      return `The time was ${seconds} s ahead: every process goes on from the database's within seconds. What ended meanwhile stays ended.`;
    }
    default:
      return null;
  }
}

type Parts = { database: Database; catalogue: Pick<Catalogue, "instruments" | "terms"> };
type Corrections = { correct: CorrectPayment; correctWithdrawal: CorrectWithdrawal | undefined };
type Named = { network: string; txId: string; at: Date };

async function book(
  { database, catalogue, correct, correctWithdrawal }: Parts & Corrections,
  named: Named,
  words: readonly string[],
  options: Options,
): Promise<string> {
  const [, , , , id = ""] = words;
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new OperatorError(RECOVERY_HELP);
  const operator = readOperator(options, words.slice(5));
  const { slug, owed, paid, missing } = await inTransaction(database, async (transaction) => {
    const booked = await bookUnknownPayment(
      transaction,
      { ...named, payoutId: BigInt(id) },
      correct,
      correctWithdrawal,
    );
    const isSame = booked.owed === booked.paid;
    await recordAction(transaction, operator, {
      action: "book payment",
      subject: `${named.network} ${named.txId}`,
      before: isSame ? {} : { amount: booked.owed },
      after: isSame ? { payout: id } : { payout: id, amount: booked.paid },
    });
    return booked;
  });
  const instead = `: ${amountText(catalogue, paid, slug)} instead of ${amountText(catalogue, owed, slug)}`;
  const lacking =
    missing === null || missing.amount === 0n
      ? ""
      : ` Its wallet has ${amountText(catalogue, missing.amount, missing.slug)} too little for that: look at what else its account has in "withdrawal list" before you approve it.`;
  return `${named.txId} is payment ${id}${owed === paid ? "" : instead}, by ${operator.name}.${lacking} A worker follows it. A stop that the reconciler has set over it ends once two of its runs, a minute apart, miss nothing; any other needs its "release" ("held" lists them).`;
}

async function unbook(
  { database, correctWithdrawal }: Pick<Parts & Corrections, "database" | "correctWithdrawal">,
  { network, txId, at }: Named,
  words: readonly string[],
  options: Options,
): Promise<string> {
  const operator = readOperator(options, words.slice(4));
  const id = await inTransaction(database, async (transaction) => {
    const payout = await unbookUnknownPayment(transaction, { network, txId, at }, correctWithdrawal);
    const action = { action: "unbook payment", subject: `${network} ${txId}`, before: { payout }, after: {} };
    await recordAction(transaction, operator, action);
    return payout;
  });
  return `${txId} is not decided any more, and payment ${id} waits for that: dismiss it with --pays-again once it can never come back, which pays ${id} again, or book it once more.`;
}

async function dismiss(
  { database, catalogue }: Parts,
  named: Named,
  words: readonly string[],
  options: Options,
): Promise<string> {
  const operator = readOperator(options, words.slice(4));
  const { network, txId } = named;
  const { adjusted = false, "pays-again": paysAgain = false } = options;
  try {
    const again = await inTransaction(database, async (transaction) => {
      const freed = await dismissUnknownPayment(transaction, { ...named, paysAgain, adjusted }, catalogue);
      const after = {
        ...(adjusted && { adjusted }),
        paysAgain: [...freed.mayBe.map(({ id }) => `payment ${id}`), ...freed.orders.map(({ id }) => `order ${id}`)],
      };
      const action = { action: "dismiss payment", subject: `${network} ${txId}`, before: {}, after };
      await recordAction(transaction, operator, action);
      return againTexts(catalogue, freed);
    });
    const freed = again.length === 0 ? "" : ` Paid all the same: ${again.join("; ")}.`;
    return `${txId}: made outside of this program, by ${operator.name}.${freed} What it took is missing: book it with "freeze propose" once the reconciler has measured it ("held").`;
  } catch (error) {
    if (!(error instanceof PaysAgainError)) throw error;
    const again = againTexts(catalogue, error.again).join("; ");
    const adoptions = adoptionTexts(await exchangesPaidBy(database.kysely, named), txId);
    if (adoptions.length > 0)
      throw new OperatorError(
        `${txId} ${adoptions.join("; it ")}. Where a partner has no exchange with the address that it pays, and it was made outside of this program, say --pays-again: that is then paid as well (${again}).`,
        { cause: error },
      );
    throw new OperatorError(
      `${txId} may be what is still to be paid: ${again}. Book it ("unknown-payment book ${network} ${txId} <payment>", or as "unknown-payments" says), or say --pays-again where it was made outside of this program: that is then paid as well.`,
      { cause: error },
    );
  }
}

const orderText = ({ id, isLikely }: MayBeOrder): string => `${isLikely ? "" : "less likely "}order ${id}`;

/** How it is booked where its customer had accepted its new rate; not where it is what another payment owes exactly. */
function offerText({ id, isOffered }: MayBeOrder, { txId, pays, sentAmount, mayBe }: UnknownPayment): string {
  const isHidden = pays === null;
  const isOthers = (!isHidden || sentAmount !== null) && mayBe.some(({ isSame }) => isSame);
  if (!isOffered || isOthers) return "";
  const named = isHidden ? ` --transaction ${txId}${sentAmount === null ? " --amount AMOUNT" : ""}` : "";
  return ` (where its customer had accepted its new rate: "order accept ${id} REASON --as NAME${named}")`;
}

const againTexts = (
  catalogue: Parts["catalogue"],
  { mayBe, orders }: { mayBe: MayBe[]; orders: MayBeOrder[] },
): string[] => [
  ...mayBe.map((one) => `${paymentText(one)}, which owes ${amountText(catalogue, BigInt(one.owes), one.slug)}`),
  ...orders.map((one) => `${orderText(one)}, which may still be paid`),
];

const MAY_BE_WITHDRAWN =
  'a withdrawal that was asked for after the backup has its sum in the wallet again: "adjust" it, then dismiss it with --adjusted';
const NOTHING_OWES_IT = `no open payment owes that; ${MAY_BE_WITHDRAWN}`;

const paymentText = ({ id, owner, memo }: MayBe): string =>
  `payment ${id} of ${owner}${memo === null ? "" : ` with the memo ${memo}`}`;

async function describe(database: Database, catalogue: Pick<Catalogue, "instruments" | "terms">): Promise<string> {
  const unknown = await listUnknownPayments(database);
  if (unknown.length === 0) return "every payment that the chains show is known";
  const lines = unknown.map(async (one) => {
    const { network, txId, height, pays, mayBe, orders } = one;
    const payments = mayBe.map((payment) =>
      payment.isSame
        ? paymentText(payment)
        : `${paymentText(payment)}, which owes ${amountText(catalogue, BigInt(payment.owes), payment.slug)}`,
    );
    const known = [
      ...(payments.length === 0 ? [] : [`may be ${payments.join(" or ")}`]),
      ...adoptionTexts(await exchangesPaidBy(database.kysely, { network, txId }), txId),
      ...orders.map(
        (order) => `may have paid or refunded ${orderText(order)}, which may still be paid${offerText(order, one)}`,
      ),
    ];
    const nothing =
      pays === null ? `no open payment or order of ${network} waits for it; ${MAY_BE_WITHDRAWN}` : NOTHING_OWES_IT;
    const candidates = known.length === 0 ? nothing : known.join("; ");
    return `${network} ${txId} in block ${height ?? "none yet"}: ${paidText(catalogue, one)} (${candidates})`;
  });
  return (await Promise.all(lines)).join("\n");
}

function paidText(catalogue: Parts["catalogue"], { pays, sentSlug, sentAmount }: UnknownPayment): string {
  const shown = pays?.map(({ to, slug, amount }) => `${amountText(catalogue, BigInt(amount), slug)} to ${to}`);
  if (shown !== undefined) return shown.join(", ");
  const sent = sentSlug === null || sentAmount === null ? "what it pays" : amountText(catalogue, sentAmount, sentSlug);
  return sentSlug === null ? `${sent} is hidden` : `${sent} to a hidden address`;
}
