import { sql, type Transaction } from "kysely";
import { OperatorError, readOperator, readOptions, recordAction } from "../admin/index.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";

export const NETWORK_HELP = `npm run admin -- accept-keys <network> REASON --as NAME
npm run admin -- skip-reading <network> REASON --as NAME
npm run admin -- skip-waiting <network> REASON --as NAME`;

type NetworkCommand = {
  /** What is recorded. */
  action: string;
  /** Returns what was there. */
  apply(transaction: Transaction<Schema>, network: string): Promise<object>;
  done(network: string): string;
};

const COMMANDS: ReadonlyMap<string, NetworkCommand> = new Map([
  [
    "accept-keys",
    {
      action: "accept keys",
      apply: forgetKeys,
      done: (network) => `The next start stores the chain and keys of ${network} that it is configured with.`,
    },
  ],
  [
    "skip-reading",
    {
      action: "skip reading",
      apply: skipReading,
      done: (network) =>
        `Payments go on without what ${network} shows since the backup: one that was made there may be made again.`,
    },
  ],
  [
    "skip-waiting",
    {
      action: "skip waiting",
      apply: skipWaiting,
      done: (network) => `Payments of ${network} go on beside what holds them now; other handles hold them again.`,
    },
  ],
]);

/** Runs a command on what is known of a network, and returns its output. Null for any other command. Throws `OperatorError`. */
export async function runNetworkCommand(
  database: Database,
  [name = "", ...given]: readonly string[],
): Promise<string | null> {
  const command = COMMANDS.get(name);
  if (command === undefined) return null;
  const { words, options } = readOptions(given);
  const [network = "", ...why] = words;
  const operator = readOperator(options, why);
  await inTransaction(database, async (transaction) => {
    const before = await command.apply(transaction, network);
    await recordAction(transaction, operator, { action: command.action, subject: network, before, after: {} });
  });
  return command.done(network);
}

async function forgetKeys(transaction: Transaction<Schema>, network: string): Promise<object> {
  const known = await transaction
    .deleteFrom("network_identities")
    .where("network", "=", network)
    .returning(["chain", "keys"])
    .executeTakeFirst();
  if (known === undefined) throw new OperatorError(`No keys of ${network} are known.`);
  return known;
}

/** Lets payments go on that wait for a network which was not read since a restore. */
async function skipReading(transaction: Transaction<Schema>, network: string): Promise<object> {
  const { numUpdatedRows } = await transaction
    .updateTable("followed_networks")
    .set({ unread_since: null, waits_for: null })
    .where("network", "=", network)
    .where("unread_since", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new OperatorError(`${network} is no network that waits to be read.`);
  return {};
}

/** Lets payments go on beside what holds their network now. */
async function skipWaiting(transaction: Transaction<Schema>, network: string): Promise<object> {
  const held = await transaction
    .selectFrom("followed_networks")
    .select(["held_for", "held_keys"])
    .where("network", "=", network)
    .where("held_since", "is not", null)
    .forUpdate()
    .executeTakeFirst();
  if (held === undefined) throw new OperatorError(`${network} is no network whose mempool holds its payments.`);
  await transaction
    .updateTable("followed_networks")
    .set({
      skipped_keys: sql<string[]>`skipped_keys || held_keys`,
      held_since: null,
      held_for: null,
      held_keys: [],
    })
    .where("network", "=", network)
    .execute();
  return { heldFor: held.held_for, handles: held.held_keys };
}
