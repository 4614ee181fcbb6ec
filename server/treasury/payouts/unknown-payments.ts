import { sql, type Kysely } from "kysely";
import * as z from "zod";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { kyselyOf, type QuerySource } from "../../db/transaction.ts";
import { findOpenSweep } from "../sweeps/open-sweep.ts";
import { loadSweep } from "../sweeps/sweep-store.ts";
import {
  isHiddenFor,
  mayBePayments,
  mayBeSchema,
  mayReturnDeposits,
  ordersSchema,
  ordersThatMayBePaid,
  type MayBe,
  type MayBeOrder,
} from "./matches/payment-matches.ts";

export const paysSchema = z.array(z.object({ to: z.string(), slug: z.string(), amount: z.string() })).nullable();

export type UnknownPayment = {
  network: string;
  txId: string;
  height: number | null;
  pays: z.output<typeof paysSchema>;
  /** What has left the wallet, where what it pays is hidden and the wallet says so. */
  sentSlug: string | null;
  sentAmount: bigint | null;
  foundAt: Date;
  /** Payments that are not made yet, as far as the rows know, and that it may be; all of the network where what it pays is hidden. */
  mayBe: MayBe[];
  /** Orders that have no such payment yet, or another one, and may still be paid what it paid. */
  orders: MayBeOrder[];
};

/** Payments from our hot wallets that the chains show and no row knows, the oldest first. */
export async function listUnknownPayments(database: Database): Promise<UnknownPayment[]> {
  const { rows } = await sql<Record<keyof UnknownPayment, unknown> & Omit<UnknownPayment, "pays" | "mayBe" | "orders">>`
    select u.network, u.tx_id as "txId", u.height, u.pays, u.sent_slug as "sentSlug", u.sent_amount as "sentAmount", u.found_at as "foundAt",
      ${mayBePayments} as "mayBe", ${ordersThatMayBePaid} as orders
    from unknown_payments u where u.decision is null order by u.found_at`.execute(database.kysely);
  return rows.map(({ pays, mayBe, orders, ...row }) => ({
    ...row,
    pays: paysSchema.parse(pays),
    mayBe: mayBeSchema.parse(mayBe),
    orders: ordersSchema.parse(orders),
  }));
}

/**
 * The payments of a network that operators know to be made outside of this program, but for those that pay the address and coin of `payout`,
 * whatever amount: of these one may be its own, whatever was said of it. And those to ourselves, which are nobody's.
 */
export async function foreignPayments(
  { kysely }: Database,
  payout: { network: string; toAddress: string; slug: string },
): Promise<string[]> {
  const same = JSON.stringify([{ to: payout.toAddress, slug: payout.slug }]);
  const { rows } = await sql<{ txId: string }>`
    select tx_id as "txId" from unknown_payments
    where network = ${payout.network} and (decision = 'to ourselves' or (decision = 'not ours' and not pays @> ${same}::jsonb))`.execute(
    kysely,
  );
  return rows.map(({ txId }) => txId);
}

type OfOrder = { network: string; orderId: string | null; depositId: bigint | null; exchangeId: bigint | null };
type OfSweep = { sweepId?: bigint | null };

/**
 * Why a payment waits that another one, which no row knows, may have made already on any network (engine laws 4, 12): a restored database
 * may have forgotten it, and refund on one network what was paid out on another. Null where nothing speaks against it.
 */
export async function unknownPaymentStop(source: QuerySource, payout: OfOrder & OfSweep): Promise<string | null> {
  const db = kyselyOf(source);
  const orderId = await orderOf(db, payout);
  const unread = await unreadNetwork(db, payout.network, orderId);
  if (unread !== null)
    return `${unread} is not read to its tip since the database was restored (npm run admin -- held)`;
  const moved = payout.sweepId == null ? null : await movedAlready(source, payout.sweepId);
  if (moved !== null) return `${moved}, which no row knows, has made this sweep; it is booked once its block is final`;
  const txId = orderId === null ? null : await unknownPaymentOfOrder(db, orderId);
  if (txId === null) return null;
  return `${txId}, which no row knows, may have paid its order (npm run admin -- unknown-payments)`;
}

async function movedAlready(source: QuerySource, sweepId: bigint): Promise<string | null> {
  const sweep = await loadSweep(source, sweepId);
  return sweep && findOpenSweep(source, sweep);
}

/** The order that a payment is made for: also what returns a deposit to it, and what pays a partner for it. */
async function orderOf(db: Kysely<Schema>, { orderId, depositId, exchangeId }: OfOrder): Promise<string | null> {
  if (orderId !== null) return orderId;
  const source =
    depositId !== null
      ? db.selectFrom("deposits").select("order_id").where("id", "=", depositId)
      : db.selectFrom("partner_exchanges").select("order_id").where("id", "=", exchangeId);
  return depositId === null && exchangeId === null ? null : ((await source.executeTakeFirst())?.order_id ?? null);
}

async function unreadNetwork(db: Kysely<Schema>, network: string, orderId: string | null): Promise<string | null> {
  const { rows } = await sql<{ network: string }>`
    select f.network from followed_networks f
    where f.unread_since is not null and (f.network = ${network} or exists (
      select from orders o where o.id = ${orderId}
        and f.network in (o.snapshot#>>'{terms,from,networkTitle}', o.snapshot#>>'{terms,to,networkTitle}')))
    limit 1`.execute(db);
  return rows[0]?.network ?? null;
}

/** An undecided payment that may have paid this order on any network; null where there is none. */
export async function unknownPaymentOfOrder(db: Kysely<Schema>, orderId: string): Promise<string | null> {
  const { rows } = await sql<{ txId: string }>`
    select u.tx_id as "txId" from unknown_payments u, orders o
    where u.decision is null and o.id = ${orderId}
      and (${isHiddenFor} or ${mayReturnDeposits} or exists (select from jsonb_array_elements(u.pays) p
        where p->>'to' in (o.snapshot#>>'{terms,destination,address}', o.snapshot#>>'{terms,refund,address}')))
    limit 1`.execute(db);
  return rows[0]?.txId ?? null;
}

/** An undecided payment of a network that pays this address, or doesn't show whom it pays; null where there is none. */
export async function unknownPaymentTo(
  db: Kysely<Schema>,
  { network, address }: { network: string; address: string },
): Promise<string | null> {
  const { rows } = await sql<{ txId: string }>`
    select tx_id as "txId" from unknown_payments
    where decision is null and network = ${network}
      and (pays is null or exists (select from jsonb_array_elements(pays) p where p->>'to' = ${address}))
    limit 1`.execute(db);
  return rows[0]?.txId ?? null;
}

/** The network that a restored database has not read to its tip; null where it has read them all. */
export async function unreadSinceRestore(db: Kysely<Schema>): Promise<string | null> {
  const unread = db.selectFrom("followed_networks").select("network").where("unread_since", "is not", null).limit(1);
  return (await unread.executeTakeFirst())?.network ?? null;
}
