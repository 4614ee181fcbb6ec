import { sql } from "kysely";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { NodeBehindError, type NetworkWallet } from "../port.ts";
import { logStored, networkHolds, storeRecentPayments, waitsForDecision } from "./unknown-payments.ts";

type Parts = { database: Database; log: Pick<Log, "warn" | "info" | "error"> };

/** Stands for the handles that wait in a mempool which can't be read. */
const UNREADABLE = "unreadable";

/**
 * Throws while the node shows payments from the hot wallet that no row knows, or can't be asked for them, so that nothing is signed beside
 * them: another payment on the nonce of one that waits would let the one behind it through as well. It is the network's row that says so
 * meanwhile (`held_since`, `held_for`), and no payment is to blame.
 */
export async function checkRecentPayments(parts: Parts, wallet: NetworkWallet, at: Date): Promise<void> {
  const { networkTitle: network } = wallet;
  const found = await askNode(parts, wallet, at);
  const skipped = await skippedKeys(parts, network);
  const keys = found.keys.filter((key) => !skipped.has(key));
  if (keys.length > 0) {
    await holdNetwork(parts, network, { keys, why: found.why });
    throw new NodeBehindError(`${network}: ${found.why}`);
  }
  await endHold(parts, network, found.keys);
}

async function askNode(
  { database, log }: Parts,
  wallet: NetworkWallet,
  at: Date,
): Promise<{ keys: readonly string[]; why: string }> {
  const { networkTitle: network } = wallet;
  const found = await storeRecentPayments(database, wallet, at).catch((error: unknown) => {
    // It says itself what it waits for, and for how long.
    if (error instanceof NodeBehindError) throw error;
    log.warn({ network, err: error }, "the mempool could not be read");
    return null;
  });
  if (found === null) return { keys: [UNREADABLE], why: CANT_BE_READ };
  const { unknown, toOurselves, waiting, replaceable } = found;
  // What is thrown is logged with what it stops.
  logStored(log, network, { unknown: [], toOurselves });
  if (unknown.length > 0) throw new NodeBehindError(waitsForDecision(network, unknown));
  // Nothing but payments to ourselves is signed on a network that is not read, and it pays nobody to let others of those through.
  const { unread } = await networkHolds(database, network);
  return { keys: unread !== null && replaceable !== undefined ? [] : waiting, why: waitsInMempool(waiting) };
}

export const CANT_BE_READ =
  "the node's mempool can't be read, and may have payments from the hot wallet that no row knows";

export const waitsInMempool = (keys: readonly string[]): string =>
  `the node's mempool has payments from the hot wallet that no row knows (${keys.join(", ")}), until they are in a block or gone`;

async function skippedKeys({ database }: Parts, network: string): Promise<ReadonlySet<string>> {
  const row = await database.kysely
    .selectFrom("followed_networks")
    .select("skipped_keys")
    .where("network", "=", network)
    .executeTakeFirst();
  return new Set(row?.skipped_keys);
}

async function holdNetwork(
  { database, log }: Parts,
  network: string,
  { keys, why }: { keys: string[]; why: string },
): Promise<void> {
  const { numUpdatedRows } = await database.kysely
    .updateTable("followed_networks")
    .set({ held_since: sql<Date>`coalesce(held_since, now())`, held_for: why, held_keys: keys })
    .where("network", "=", network)
    .where(sql<boolean>`held_for is distinct from ${why}`)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) log.error({ network, why }, "nothing is signed on the network");
}

/** Also forgets what an operator has said of handles that are no longer waited for. */
async function endHold({ database, log }: Parts, network: string, waiting: readonly string[]): Promise<void> {
  const { numUpdatedRows } = await database.kysely
    .updateTable("followed_networks")
    .set({
      held_since: null,
      held_for: null,
      held_keys: [],
      skipped_keys: sql<string[]>`array(select k from unnest(skipped_keys) k where k = any(${[...waiting]}::text[]))`,
    })
    .where("network", "=", network)
    .where((is) => is.or([is("held_since", "is not", null), sql<boolean>`not skipped_keys <@ ${[...waiting]}::text[]`]))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) log.info({ network }, "payments go on");
}
