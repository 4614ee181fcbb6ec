import { sql, type Transaction } from "kysely";
import { OperatorError, readOperator, readOptions, recordAction, storedNetwork } from "../admin/index.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";

export const NETWORK_HELP = `npm run admin -- accept-keys <network> REASON --as NAME
npm run admin -- skip-reading <network> REASON --as NAME
npm run admin -- skip-waiting <network> REASON --as NAME`;

type NetworkCommand = {
  /** What is recorded. */
  action: string;
  /** What it would do; said to whoever gives neither a reason nor a name, before anything is done. */
  explain?(database: Database, network: string): Promise<string>;
  /** Returns what was there. */
  apply(transaction: Transaction<Schema>, network: string): Promise<object>;
  done(network: string): string;
};

const COMMANDS: ReadonlyMap<string, NetworkCommand> = new Map([
  [
    "accept-keys",
    {
      action: "accept keys",
      explain: explainAcceptance,
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
  const [title = "", ...why] = words;
  const network = storedNetwork(title);
  if (command.explain !== undefined && why.length === 0 && options.as === undefined)
    throw new OperatorError(await command.explain(database, network));
  const operator = readOperator(options, why);
  await inTransaction(database, async (transaction) => {
    const before = await command.apply(transaction, network);
    await recordAction(transaction, operator, { action: command.action, subject: network, before, after: {} });
  });
  return command.done(network);
}

async function explainAcceptance(database: Database, network: string): Promise<string> {
  const known = await database.kysely
    .selectFrom("network_identities")
    .select(["chain", "keys"])
    .where("network", "=", network)
    .executeTakeFirst();
  if (known === undefined) throw noKeys(network);
  return (
    `Nothing is done yet. accept-keys forgets the chain of ${network} (${known.chain}) and the fingerprint of its keys (${known.keys}); ` +
    "the next start stores those that it is configured with, whatever they are. Coins on addresses of the old keys are not moved by it, nor spent afterwards: sweep first, and keep the old seed phrase. " +
    `To go back, configure the old keys again before the next start, or after it run this command once more.\nTo go on: npm run admin -- accept-keys ${network} REASON --as NAME`
  );
}

const noKeys = (network: string) => new OperatorError(`No keys of ${network} are known.`);

async function forgetKeys(transaction: Transaction<Schema>, network: string): Promise<object> {
  const known = await transaction
    .deleteFrom("network_identities")
    .where("network", "=", network)
    .returning(["chain", "keys"])
    .executeTakeFirst();
  if (known === undefined) throw noKeys(network);
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
