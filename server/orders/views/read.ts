import { DAY_MS } from "#contract/durations.ts";
import { sql } from "kysely";
import type { Stats } from "#contract/health.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { LatestOrder, Order } from "#contract/order.ts";
import { formatAmount } from "#contract/money.ts";
import { requireInstrument, type Catalogue } from "../../catalogue/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import type { NetworkReader } from "../../chains/port.ts";
import type { ArrivalTimes } from "../../rates/port.ts";
import { secondsToArrival } from "./order-arrival.ts";
import { decodeState } from "../decisions/order.ts";
import { roundedAmount, roundedMinutes, wholeMinute } from "./public-figures.ts";
import { readOrderRows, type OrderRows } from "./order-rows.ts";
import type { ProviderView } from "./card-view.ts";
import type { ViewedOrder } from "./order-views.ts";
import { viewOrder } from "./view.ts";

const LATEST_COUNT = 20;

export type ReadParts = {
  database: Database;
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  clock: Clock;
  /** An instrument as the contract shows it, with its price now. */
  instrumentOf(slug: string): Instrument;
  arrivalTimes: ArrivalTimes;
  /** By code; absent where no cards are taken. */
  cardProviders?: ReadonlyMap<string, ProviderView>;
};

/** The whole order, without an access check; null when there is none. */
export async function readOrder(parts: ReadParts, id: string): Promise<ViewedOrder | null> {
  const rows = await readOrderRows(parts.database, id);
  return rows && { order: presentOrder(parts, rows), state: rows.state };
}

/** An order's rows as the API returns them. */
export function presentOrder(parts: ReadParts, rows: OrderRows): Order {
  const { terms } = rows.state;
  const reader = parts.readers.get(terms.from.networkTitle);
  const current = { ...rows, now: parts.clock.now() };
  return viewOrder({
    ...current,
    payout: rows.payout && { ...rows.payout, decimals: requireInstrument(parts.catalogue, rows.payout.slug).decimals },
    instrumentFrom: parts.instrumentOf(terms.from.slug),
    instrumentTo: parts.instrumentOf(terms.to.slug),
    depositUri:
      reader?.depositUri(terms.deposit.address, terms.deposit.memo, terms.from.slug, terms.claimedDepositAmount) ??
      terms.deposit.address,
    estimatedSeconds: secondsToArrival(current, parts.arrivalTimes),
    cardProvider: terms.card && parts.cardProviders?.get(terms.card.provider),
  });
}

/** The last orders that were completed by `until`: rounded amounts and minutes, no ids and no addresses (contract §3). */
export async function readLatest(parts: ReadParts, until: Date): Promise<LatestOrder[]> {
  const rows = await parts.database.kysely
    .selectFrom("orders")
    .select(["snapshot", "completed_at"])
    .where("completed_at", "<=", until)
    .orderBy("completed_at", "desc")
    .limit(LATEST_COUNT)
    .execute();
  return rows.flatMap(({ snapshot, completed_at }) => {
    const state = decodeState(snapshot);
    if (state.kind !== "completed" || completed_at === null) return [];
    const { terms, payout } = state;
    return [
      {
        instrumentFrom: terms.from.slug,
        instrumentTo: terms.to.slug,
        amountFrom: formatAmount(roundedAmount(payout.received), terms.from.decimals),
        amountTo: formatAmount(roundedAmount(payout.amount), terms.to.decimals),
        completedAt: wholeMinute(completed_at).toISOString(),
      },
    ];
  });
}

/** Figures over the orders of the day that ends with `until`; null where there are none yet (contract §2). */
export async function readStats(parts: ReadParts, until: Date): Promise<Stats> {
  const since = new Date(until.getTime() - DAY_MS);
  const { rows } = await sql<{ total: number; day: number; seconds: number | null; completed: number; ended: number }>`
    select
      (select (count + (select count(*) from orders where completed_at >= counted_until and completed_at <= ${until}))::int from completed_orders) as total,
      count(*) filter (where completed_at <= ${until})::int as day,
      percentile_cont(0.5) within group (order by extract(epoch from completed_at - first_deposit.detected_at))::double precision as seconds,
      count(*) filter (where completed_at <= ${until})::int as completed,
      count(*) filter (where completed_at <= ${until} or state = 'refunded')::int as ended
    from orders
    left join lateral (select min(detected_at) as detected_at from deposits where order_id = orders.id) first_deposit
      on completed_at <= ${until}
    where created_at >= ${since}`.execute(parts.database.kysely);
  const row = rows[0];
  const active = [...parts.catalogue.instruments.values()].filter((instrument) => instrument.isActive);
  return {
    ordersTotal: row && row.total > 0 ? row.total : null,
    orders24h: row && row.day > 0 ? row.day : null,
    medianSeconds: row?.seconds == null ? null : roundedMinutes(row.seconds),
    completedShare: row && row.ended > 0 ? row.completed / row.ended : null,
    coins: new Set(active.map((instrument) => instrument.currencyTitle)).size,
    networks: new Set(active.map((instrument) => instrument.networkTitle)).size,
  };
}
