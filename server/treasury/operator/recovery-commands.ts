import type { Catalogue } from "../../catalogue/index.ts";
import type { Database } from "../../db/database.ts";
import { skipDepositAddresses } from "../../db/backup/deposit-indexes.ts";
import { inTransaction } from "../../db/transaction.ts";
import { amountText } from "./held-commands.ts";
import { OperatorError, recordAction } from "./audit.ts";
import { readOperator, readOptions } from "./options.ts";
import {
  bookUnknownPayment,
  dismissUnknownPayment,
  listUnknownPayments,
  skipReading,
} from "../payouts/unknown-payments.ts";

export const RECOVERY_HELP = `npm run admin -- backup FILE
npm run admin -- restore FILE
npm run admin -- unknown-payments
npm run admin -- unknown-payment book <network> <transaction> <payment> <why> --as <name>
npm run admin -- unknown-payment dismiss <network> <transaction> <why> --as <name>
npm run admin -- accept-keys <network> <why> --as <name>
npm run admin -- skip-addresses <why> --as <name>
npm run admin -- skip-reading <network> <why> --as <name>`;

const COMMANDS: ReadonlySet<string> = new Set([
  "unknown-payments",
  "unknown-payment",
  "accept-keys",
  "skip-addresses",
  "skip-reading",
]);

/** Runs a command for the time after a restore, and returns its output. Null for any other. Throws `OperatorError`. */
export async function runRecoveryCommand(
  database: Database,
  catalogue: Pick<Catalogue, "instruments">,
  given: readonly string[],
): Promise<string | null> {
  if (!COMMANDS.has(given[0] ?? "")) return null;
  const { words, options } = readOptions(given);
  const [command, first = "", second = "", third = ""] = words;
  switch (command) {
    case "unknown-payments":
      return describe(database, catalogue);
    case "unknown-payment": {
      const named = { network: second, txId: third, at: new Date() };
      if (first === "book") return book(database, named, words, options);
      if (first !== "dismiss") throw new OperatorError(RECOVERY_HELP);
      const operator = readOperator(options, words.slice(4));
      await inTransaction(database, async (transaction) => {
        await dismissUnknownPayment(transaction, named);
        const action = { action: "dismiss payment", subject: `${second} ${third}`, before: {}, after: {} };
        await recordAction(transaction, operator, action);
      });
      return `${third}: made outside of this program, by ${operator.name}. What it took is missing: book it with "freeze propose" once the reconciler has measured it ("held").`;
    }
    case "accept-keys": {
      const operator = readOperator(options, words.slice(2));
      await inTransaction(database, async (transaction) => {
        const before = await transaction
          .deleteFrom("network_identities")
          .where("network", "=", first)
          .returning(["chain", "keys"])
          .executeTakeFirst();
        if (before === undefined) throw new OperatorError(`No keys of ${first} are known.`);
        await recordAction(transaction, operator, { action: "accept keys", subject: first, before, after: {} });
      });
      return `The next start stores the chain and keys of ${first} that it is configured with.`;
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
    case "skip-reading": {
      const operator = readOperator(options, words.slice(2));
      await inTransaction(database, async (transaction) => {
        await skipReading(transaction, first);
        await recordAction(transaction, operator, { action: "skip reading", subject: first, before: {}, after: {} });
      });
      return `Payments go on without what ${first} shows since the backup: one that was made there may be made again.`;
    }
    default:
      return null;
  }
}

async function book(
  database: Database,
  named: { network: string; txId: string; at: Date },
  words: readonly string[],
  options: ReturnType<typeof readOptions>["options"],
): Promise<string> {
  const [, , , , id = ""] = words;
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new OperatorError(RECOVERY_HELP);
  const operator = readOperator(options, words.slice(5));
  await inTransaction(database, async (transaction) => {
    await bookUnknownPayment(transaction, { ...named, payoutId: BigInt(id) });
    const after = { payout: id };
    await recordAction(transaction, operator, {
      action: "book payment",
      subject: `${named.network} ${named.txId}`,
      before: {},
      after,
    });
  });
  return `${named.txId} is payment ${id}, by ${operator.name}. A worker follows it. A stop that the reconciler has set over it ends once two of its runs, a minute apart, miss nothing; any other needs its "release" ("held" lists them).`;
}

async function describe(database: Database, catalogue: Pick<Catalogue, "instruments">): Promise<string> {
  const unknown = await listUnknownPayments(database);
  if (unknown.length === 0) return "every payment that the chains show is known";
  return unknown
    .map(({ network, txId, height, pays, mayBe }) => {
      const what = pays
        ?.map(({ to, slug, amount }) => `${amountText(catalogue, BigInt(amount), slug)} to ${to}`)
        .join(", ");
      const payments = mayBe.map(({ id, owner }) => `payment ${id} of ${owner}`).join(" or ");
      const candidates = payments === "" ? "no open payment owes that" : `may be ${payments}`;
      return `${network} ${txId} in block ${height ?? "none yet"}: ${what ?? "what it pays is hidden"} (${candidates})`;
    })
    .join("\n");
}
