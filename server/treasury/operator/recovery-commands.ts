import type { Catalogue } from "../../catalogue/index.ts";
import type { Database } from "../../db/database.ts";
import { MAX_AHEAD_MS, readMarkAhead, resetMark } from "../../db/clock.ts";
import { skipDepositAddresses } from "../../db/backup/deposit-indexes.ts";
import { inTransaction } from "../../db/transaction.ts";
import { againTexts, describeUnknown, heldText, refundText } from "./describe-unknown.ts";
import { amountText } from "./held-commands.ts";
import {
  OperatorError,
  type Options,
  readId,
  readOperator,
  readOptions,
  recordAction,
  storedNetwork,
} from "../../admin/index.ts";
import { bookUnknownPayment } from "../payouts/decide-unknown.ts";
import { dismissUnknownPayment } from "../payouts/replacement/dismiss.ts";
import { unbookUnknownPayment } from "../payouts/replacement/unbook.ts";
import { PaysAgainError } from "../payouts/matches/payment-matches.ts";
import { adoptionTexts, exchangesPaidBy } from "../payouts/matches/exchange-matches.ts";
import type { CorrectPayment, CorrectWithdrawal } from "../port.ts";

export const RECOVERY_HELP = `npm run admin -- backup FILE
npm run admin -- restore FILE
npm run admin -- unknown-payments
npm run admin -- unknown-payment book <network> <transaction> <payment> REASON --as NAME
npm run admin -- unknown-payment unbook <network> <transaction> REASON --as NAME
npm run admin -- unknown-payment dismiss <network> <transaction> REASON --as NAME [--pays-again] [--adjusted] [--gone] [--holds <payment>]
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
  const { words, options } = readOptions(
    given,
    isDismissal ? ["as", "pays-again", "adjusted", "gone", "holds"] : ["as"],
  );
  const [command, first = "", second = "", third = ""] = words;
  switch (command) {
    case "unknown-payments":
      return describeUnknown(database, catalogue);
    case "unknown-payment": {
      const named = { network: storedNetwork(second), txId: third, at: new Date() };
      if (first === "book") return book({ database, catalogue, correct, correctWithdrawal }, named, words, options);
      if (first === "unbook") return unbook({ database, catalogue, correct, correctWithdrawal }, named, words, options);
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
      : ` Its wallet has ${amountText(catalogue, missing.amount, missing.slug)} too little for that, which is taken from what its account is credited next ("accrual list"): look at what else that has in "withdrawal list" before you approve it.`;
  return `${named.txId} is payment ${id}${owed === paid ? "" : instead}, by ${operator.name}.${lacking} A worker follows it. A stop that the reconciler has set over it ends once two of its runs, a minute apart, miss nothing; any other needs its "release" ("held" lists them).`;
}

async function unbook(
  { database, catalogue, correct, correctWithdrawal }: Parts & Corrections,
  { network, txId, at }: Named,
  words: readonly string[],
  options: Options,
): Promise<string> {
  const operator = readOperator(options, words.slice(4));
  const { id, slug, amount, missing, withdrawalId, isUndecided, isHeld } = await inTransaction(
    database,
    async (transaction) => {
      const unbooked = await unbookUnknownPayment(transaction, { network, txId, at }, correct, correctWithdrawal);
      const before = { payout: unbooked.id };
      const action = {
        action: "unbook payment",
        subject: `${network} ${txId}`,
        before,
        after: { amount: unbooked.amount },
      };
      await recordAction(transaction, operator, action);
      return unbooked;
    },
  );
  const lacking =
    missing === undefined || missing.amount === 0n
      ? ""
      : ` Its wallet has ${amountText(catalogue, missing.amount, missing.slug)} too little to give back what the booking had put there: ${id} owes ${amountText(catalogue, amount, slug)} and no more, since the rest was withdrawn already.`;
  const next =
    isUndecided === true
      ? `and withdrawal ${withdrawalId}, which was approved by it, waits for you again: "withdrawal approve ${withdrawalId} REASON --as NAME --transaction ${txId}" where it comes back. Once it never can, dismiss it with --adjusted --gone, and decide the withdrawal then.`
      : isHeld
        ? `and payment ${id} of withdrawal ${withdrawalId}, which was approved by it, is held: book it once more where it comes back. Once it never can, dismiss it with --pays-again --adjusted --gone, and decide the withdrawal then: "payout retry ${id}" pays it, "withdrawal reject ${withdrawalId}" gives its sum back to the wallet.`
        : `and payment ${id} waits for that: book it once more where it comes back. Once it never can, dismiss it with --pays-again --gone, which pays ${id} again.`;
  return `${txId} is not decided any more, ${next}${lacking}`;
}

async function dismiss(
  { database, catalogue }: Parts,
  named: Named,
  words: readonly string[],
  options: Options,
): Promise<string> {
  const operator = readOperator(options, words.slice(4));
  const { network, txId } = named;
  const { adjusted = false, gone = false, "pays-again": paysAgain = false } = options;
  const holds = options.holds === undefined ? null : readId(options.holds, RECOVERY_HELP);
  try {
    const freed = await inTransaction(database, async (transaction) => {
      const said = { ...named, paysAgain, adjusted, gone, holds };
      const decided = await dismissUnknownPayment(transaction, said, catalogue);
      const after = {
        ...(adjusted && { adjusted }),
        ...(gone && { gone }),
        ...(decided.held !== null && { holds: decided.held.id }),
        paysAgain: [
          ...decided.mayBe.map(({ id }) => `payment ${id}`),
          ...decided.orders.map(({ id }) => `order ${id}`),
        ],
      };
      const action = { action: "dismiss payment", subject: `${network} ${txId}`, before: {}, after };
      await recordAction(transaction, operator, action);
      const held = decided.held === null ? "" : heldText(decided.held);
      // What is held by itself is all that its order would be paid.
      const texts = decided.held !== null && holds === null ? [] : againTexts(catalogue, decided);
      return texts.length === 0 ? held : `${held} Paid all the same: ${texts.join("; ")}.`;
    });
    return `${txId}: made outside of this program, by ${operator.name}.${freed} What it took is missing, less what came in since the backup that no row knows: book what the reconciler measures ("held") with "freeze propose", or "surplus keep" where more came in.`;
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
      `${txId} may be what is still to be paid: ${again}. Book it ("unknown-payment book ${network} ${txId} <payment>", or as "unknown-payments" says), or say --pays-again where it was made outside of this program: that is then paid as well.${await refundText(database, named, error.again)}`,
      { cause: error },
    );
  }
}
