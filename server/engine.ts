import type { Clock } from "./clock.ts";
import type { Catalogue } from "./catalogue/index.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Database } from "./db/database.ts";
import type { TransactionProbe } from "./db/transaction.ts";
import type { Log } from "./log.ts";
import { createFollower, type Follower } from "./networks/follower.ts";
import type { NetworkReader, NetworkWallet } from "./networks/port.ts";
import { tellByMail } from "./notifications/index.ts";
import { advance } from "./orders/advance.ts";
import { createDepositPlaces } from "./orders/deposit-places.ts";
import { createDesk } from "./orders/desk.ts";
import type { Ids } from "./orders/ids.ts";
import { isOwed } from "./orders/owed.ts";
import type { Desk } from "./orders/port.ts";
import { sweep } from "./orders/sweeper.ts";
import type { Rates } from "./rates/port.ts";
import { post } from "./treasury/ledger.ts";
import type { Switches } from "./treasury/port.ts";
import { intendPayout } from "./treasury/payout-rows.ts";
import { advancePayout } from "./treasury/payouts.ts";

export type EngineParts = {
  database: Database;
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  /** Empty in a process without the worker role: it holds no keys (engine law 14). */
  wallets: ReadonlyMap<string, NetworkWallet>;
  rates: Pick<Rates, "board" | "networkFee" | "priceClaim">;
  instrumentOf(slug: string): Instrument;
  clock: Clock;
  ids: Ids;
  switches: Switches;
  log: Log;
  fixedOrdersPerClient: number;
  /** Called when rows became due, so that a waiting loop turns at once. */
  onWork?: () => void;
  probe?: TransactionProbe;
};

export type Engine = {
  desk: Desk;
  followers: ReadonlyMap<string, Follower>;
  /** One turn over the orders that are due; true when there may be more. */
  sweepOrders(): Promise<boolean>;
  /** One turn over the payments that are due; true when there may be more. */
  sweepPayouts(): Promise<boolean>;
};

/** Wires the order engine; everything it needs of the world comes in, so that a test can hold all of it. */
export function createEngine(parts: EngineParts): Engine {
  const { database, catalogue, readers, log } = parts;
  const onWork = parts.onWork ?? (() => undefined);
  const followers = new Map<string, Follower>();
  for (const [network, reader] of readers) {
    followers.set(network, createFollower({ ...parts, reader, onChange: onWork }));
  }
  const payoutParts = {
    ...parts,
    post,
    feeSlugOf: (network: string) => required(readers.get(network), network).feeSlug,
    finalDepthOf: (slug: string) => required(catalogue.instruments.get(slug), slug).confirmations,
    isStillOwed: (payout: Parameters<typeof isOwed>[1]) => isOwed(database, payout),
    onMined: onWork,
  };
  const orderParts = { ...parts, intendPayout, post, tell: tellByMail, places: createDepositPlaces(database, log) };
  const returnFee = (slug: string): bigint | null => feeOrNull(parts, slug);
  return {
    desk: createDesk(orderParts),
    followers,
    sweepOrders: () => sweep(database, "orders", (id) => advance({ ...orderParts, returnFee }, id), log),
    sweepPayouts: () => sweep(database, "payouts", (id) => advancePayout(payoutParts, BigInt(id)), log),
  };
}

function feeOrNull({ rates, log }: EngineParts, slug: string): bigint | null {
  try {
    return rates.networkFee(slug, rates.board());
  } catch (error) {
    log.debug({ err: error, slug }, "there is no network fee to return a deposit with");
    return null;
  }
}

function required<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`${name} is missing in the catalogue`);
  return found;
}
