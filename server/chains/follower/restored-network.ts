import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { NodeBehindError, type Handle, type NetworkReader, type NetworkWallet } from "../port.ts";
import type { FollowedPayments } from "./port.ts";
import { lookUpBooked } from "./own-payments.ts";
import type { TailBlock } from "./tail.ts";
import { CANT_BE_READ, checkRecentPayments, waitsInMempool } from "./payment-hold.ts";
import { logStored, networkHolds, recordRead, recordWait, storeRecentPayments } from "./unknown-payments.ts";

type Parts = {
  database: Database;
  reader: Pick<NetworkReader, "networkTitle" | "head" | "feeSlug">;
  /** Absent in a process that pays nothing. */
  wallet?: NetworkWallet | undefined;
  clock: Clock;
  log: Log;
  oldestTipMs: number | null;
  payments: Pick<FollowedPayments, "consolidate" | "takeOver">;
};

/** The handles of payments in a mempool, and the head of the chain after it; `since` is the restore that it was read for. */
type Reading = {
  since: number;
  waiting: string[];
  replaceable: Handle[];
  height: number;
  minedAt?: number | undefined;
};

/**
 * Ends the wait of a network whose blocks are read up to `tip` after a restore, once its chain and node show everything that may have been
 * paid since the backup (engine law 12). True where it has ended now; says in the row what it waits for otherwise.
 */
export function createRestoreCheck({ database, reader, wallet, clock, log, oldestTipMs, payments }: Parts) {
  const network = reader.networkTitle;
  /** Kept until its head is read: a chain may make its blocks faster than a node answers. */
  let last: Reading | null = null;

  /** Null where it waits for nothing more, "" while a newer block is to be read. */
  const waitsFor = async (since: Date, tip: number): Promise<string | null> => {
    const reading = last?.since === since.getTime() ? last : await readMempool(since);
    if (typeof reading === "string") return reading;
    last = reading.height > tip ? reading : null;
    if (last !== null) return "";
    const { waiting, replaceable, minedAt } = reading;
    // What a node that lags has not shown yet may hold what was paid after the backup; its own tail can't tell, which is as old.
    if (oldestTipMs !== null && minedAt !== undefined && clock.now().getTime() - minedAt > oldestTipMs)
      return "its node, whose newest block is old";
    const lastMs = wallet?.longestLifeMs === undefined ? null : since.getTime() + wallet.longestLifeMs;
    if (lastMs !== null && (minedAt ?? clock.now().getTime()) < lastMs)
      return `a final block made after ${new Date(lastMs).toISOString()}, when every payment signed before the restore has run out`;
    if (waiting.length > 0) return (await takeOver(replaceable)) ?? waitsInMempool(waiting);
    // Last: nothing but what nobody has sent is left then.
    return wallet === undefined ? null : payments.consolidate({ database, log }, wallet, reader.feeSlug);
  };

  const takeOver = async (replaceable: readonly Handle[]): Promise<string | null> =>
    wallet === undefined || replaceable.length === 0
      ? null
      : payments.takeOver({ database, log }, wallet, reader.feeSlug, replaceable);

  /** The head after the mempool: what leaves that meanwhile is in a block up to it. As a text why it can't be read now. */
  const readMempool = async (since: Date): Promise<Reading | string> => {
    const found = wallet === undefined ? { waiting: [], replaceable: [] } : await recentHandles(wallet);
    return typeof found === "string" ? found : { since: since.getTime(), ...found, ...(await reader.head()) };
  };

  const unreadable = (error: unknown): string => {
    log.warn({ network, err: error }, "the mempool could not be read after a restore");
    return CANT_BE_READ;
  };

  /** As a text why its node can't show them now. */
  const recentHandles = async (paying: NetworkWallet): Promise<Pick<Reading, "waiting" | "replaceable"> | string> => {
    try {
      const { waiting, replaceable = [], ...stored } = await storeRecentPayments(database, paying, clock.now());
      logStored(log, network, stored);
      return { waiting, replaceable };
    } catch (error) {
      return error instanceof NodeBehindError ? error.message : unreadable(error);
    }
  };

  /** A hold ends by itself, also while no payment is due that would ask. */
  const endHold = async (paying: NetworkWallet): Promise<boolean> => {
    try {
      await checkRecentPayments({ database, log }, paying, clock.now());
      return true;
    } catch (error) {
      if (error instanceof NodeBehindError) return false;
      throw error;
    }
  };

  return async (tip: TailBlock): Promise<boolean> => {
    const { unread: since, isHeld, hasBooked } = await networkHolds(database, network);
    if (hasBooked && wallet !== undefined) await lookUpBooked({ database, log }, wallet);
    if (since === null) return isHeld && wallet !== undefined && endHold(wallet);
    const reason = await waitsFor(since.at, tip.height);
    if (reason === null) return recordRead(database, network, { top: tip, since: since.text });
    if (reason !== "" && (await recordWait(database, network, reason)))
      log.warn({ network, waitsFor: reason }, "after a restore nothing is signed yet");
    return false;
  };
}
