import type { Transaction } from "kysely";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { Handle, NetworkWallet } from "../port.ts";

/** A payment that waits until its order's deposits, or the deposit that it sends back, are on the chain again. */
export type HeldPayment = { id: bigint; orderId: string | null; depositId: bigint | null };

/**
 * What a follower does to the payments of its network, each in the transaction that changes the tail; the treasury implements it. A stop
 * of the follower is its own: it ends no operator's and no reconciler's.
 */
export type FollowedPayments = {
  /** Makes payments due that a block may show, also those that are being broadcast or in review. True when any was. */
  wake(transaction: Transaction<Schema>, network: string): Promise<boolean>;
  /** Stops the payments of a network until its blocks are read on and every credited deposit is in them. */
  stop(transaction: Transaction<Schema>, network: string, reason: string): Promise<void>;
  isStopped(transaction: Transaction<Schema>, network: string): Promise<boolean>;
  endStop(transaction: Transaction<Schema>, network: string): Promise<void>;
  /** Lets the unsigned payments of deposits, or of their orders, wait for them. */
  hold(transaction: Transaction<Schema>, deposits: readonly { id: bigint; orderId: string | null }[]): Promise<void>;
  /** All that wait so, on any network. */
  held(transaction: Transaction<Schema>): Promise<HeldPayment[]>;
  release(transaction: Transaction<Schema>, ids: readonly bigint[]): Promise<void>;
  /**
   * Tracks final payments again whose blocks above `height` were undone, with their handles, so that the same bytes are sent again. Where
   * another payment has taken its handle, an operator decides: nobody can know which of the two the chain will include.
   */
  resumeUndone(transaction: Transaction<Schema>, network: string, height: number): Promise<void>;
  /**
   * Moves the coins of a network that was not read since a restore to ourselves where payments signed since the backup may still spend them; in
   * transactions of its own. Returns what it waits for; null where nobody can send such a payment any more.
   */
  consolidate(
    parts: { database: Database; log: Pick<Log, "warn"> },
    wallet: NetworkWallet,
    slug: string,
  ): Promise<string | null>;
  /**
   * Makes a payment to ourselves that no row knows, and that waits for a block with these handles, one of ours that replaces it where it pays too
   * little for the blocks of today. Returns what is waited for then; null where it is left as it is.
   */
  takeOver(
    parts: { database: Database; log: Pick<Log, "warn"> },
    wallet: NetworkWallet,
    slug: string,
    waiting: readonly Handle[],
  ): Promise<string | null>;
};
