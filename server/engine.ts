import type { Clock } from "./base/clock.ts";
import type { Catalogue } from "./catalogue/index.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Database } from "./db/database.ts";
import type { TransactionProbe } from "./db/transaction.ts";
import { advanceExchange, endOfExchange, intendExchange, type LiquidityParts } from "./liquidity/index.ts";
import type { LiquidityPartner } from "./liquidity/port.ts";
import type { Log } from "./base/log.ts";
import { createFollower, type Follower } from "./chains/follower.ts";
import type { NetworkReader, NetworkWallet } from "./chains/port.ts";
import { tellOwner } from "./notifications/index.ts";
import { advance } from "./orders/advance.ts";
import { createDepositPlaces } from "./orders/deposit-places.ts";
import { createOrderService } from "./orders/order-service.ts";
import type { Ids } from "./orders/ids.ts";
import { isOwed } from "./orders/owed.ts";
import type { OrderService } from "./orders/port.ts";
import { sweep } from "./orders/sweeper.ts";
import type { Rates } from "./rates/port.ts";
import { post } from "./treasury/ledger.ts";
import type { Switches } from "./treasury/port.ts";
import { intendPayout } from "./treasury/payout-rows.ts";
import { advancePayout } from "./treasury/payouts.ts";
import { leastSweep } from "./treasury/sweep-threshold.ts";
import { advanceSweep, collectSweeps } from "./treasury/sweeps.ts";

/** What the house is taken to have while nobody knows: a payment itself finds the shortage, and waits. */
const MORE_THAN_ANY_ORDER = 10n ** 77n;

export type EngineParts = {
  database: Database;
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  /** Empty in a process without the worker role: it holds no keys (engine law 14). */
  wallets: ReadonlyMap<string, NetworkWallet>;
  rates: Pick<Rates, "snapshot" | "networkFee" | "priceClaim">;
  /** Who else fills orders, by code; absent where nobody does. Empty in a process without the worker role. */
  partners?: ReadonlyMap<string, LiquidityPartner>;
  /** What the hot wallets can still promise; absent: nobody knows. */
  available?: (slug: string) => bigint | null;
  instrumentOf(slug: string): Instrument;
  clock: Clock;
  ids: Ids;
  switches: Switches;
  log: Log;
  fixedOrdersPerClient: number;
  /** How long an owner is waited for before the deposit goes back by itself; absent or null: for ever. */
  autoRefundSeconds?: number | null;
  /** Called when rows became due, so that a waiting loop turns at once. */
  onWork?: () => void;
  probe?: TransactionProbe;
};

export type Engine = {
  orderService: OrderService;
  followers: ReadonlyMap<string, Follower>;
  /** One turn over the orders that are due; true when there may be more. */
  sweepOrders(): Promise<boolean>;
  /** One turn over the payments that are due; true when there may be more. */
  sweepPayouts(): Promise<boolean>;
  /** One turn over the exchanges at partners that are due; true when there may be more. */
  sweepExchanges(): Promise<boolean>;
  /** Looks for deposit addresses that hold enough to be moved to the hot wallet. */
  collectDeposits(): Promise<void>;
  /** One turn over those moves and their payments, apart from what customers wait for; true when there may be more. */
  moveDeposits(): Promise<boolean>;
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
  const orderParts = {
    ...parts,
    intendPayout,
    intendExchange,
    houseMost: (slug: string, network: string) =>
      parts.wallets.has(network) ? (parts.available?.(slug) ?? MORE_THAN_ANY_ORDER) : null,
    post,
    tell: tellOwner,
    places: createDepositPlaces(database, log),
  };
  const liquidityParts: LiquidityParts = {
    ...parts,
    partners: parts.partners ?? new Map(),
    instrumentOf: (slug) => required(catalogue.instruments.get(slug), slug),
    intendPayout,
    post,
  };
  const sweepParts = {
    ...payoutParts,
    slugsOf: (network: string) =>
      [...catalogue.instruments.values()].flatMap(({ slug, networkTitle, isActive }) =>
        isActive && networkTitle === network ? [slug] : [],
      ),
    leastSweep: (slug: string) => {
      const price = priceOrNull(parts, slug);
      return price === null ? null : leastSweep(required(catalogue.instruments.get(slug), slug), price);
    },
  };
  const payDue = (work: "payouts" | "sweep payments") =>
    sweep(database, work, (id) => advancePayout(payoutParts, BigInt(id)), log);
  const { autoRefundSeconds = null } = parts;
  const returnFee = (slug: string): bigint | null => feeOrNull(parts, slug);
  return {
    orderService: createOrderService(orderParts),
    followers,
    sweepOrders: () =>
      sweep(
        database,
        "orders",
        (id) => advance({ ...orderParts, returnFee, autoRefundSeconds, endOfExchange }, id),
        log,
      ),
    sweepPayouts: () => payDue("payouts"),
    sweepExchanges: () =>
      sweep(database, "partner_exchanges", (id) => advanceExchange(liquidityParts, BigInt(id)), log),
    collectDeposits: () => collectSweeps(sweepParts),
    moveDeposits: async () => {
      const more = await sweep(database, "sweeps", (id) => advanceSweep(sweepParts, BigInt(id)), log);
      return (await payDue("sweep payments")) || more;
    },
  };
}

function feeOrNull({ rates, log }: EngineParts, slug: string): bigint | null {
  try {
    return rates.networkFee(slug, rates.snapshot());
  } catch (error) {
    log.debug({ err: error, slug }, "there is no network fee to return a deposit with");
    return null;
  }
}

/** Null while there is no price that may be used. */
function priceOrNull({ rates, log }: EngineParts, slug: string): bigint | null {
  try {
    return rates.snapshot().prices.get(slug) ?? null;
  } catch (error) {
    log.debug({ err: error, slug }, "there is no price to judge a sweep by");
    return null;
  }
}

function required<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`${name} is missing in the catalogue`);
  return found;
}
