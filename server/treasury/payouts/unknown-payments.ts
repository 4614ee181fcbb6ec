import { sql, type Kysely, type Transaction } from "kysely";
import * as z from "zod";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { OperatorError } from "../operator/audit.ts";
import { liveAttempts, storeAttempt } from "./attempts.ts";
import { lockPayout } from "./store.ts";

const paysSchema = z.array(z.object({ to: z.string(), slug: z.string(), amount: z.string() })).nullable();

export type UnknownPayment = {
  network: string;
  txId: string;
  height: number | null;
  pays: z.output<typeof paysSchema>;
  foundAt: Date;
  /** Payments that are not made yet, as far as the rows know, and owe what it paid; all of the network where that is hidden. */
  mayBe: { id: string; owner: string }[];
};

/** More would hide the line that names them. */
const MAX_NAMED = 10;
const mayBeSchema = z.array(z.object({ id: z.string(), owner: z.string() }));

/** Payments from our hot wallets that the chains show and no row knows, the oldest first. */
export async function listUnknownPayments(database: Database): Promise<UnknownPayment[]> {
  const { rows } = await sql<Record<keyof UnknownPayment, unknown> & Omit<UnknownPayment, "pays" | "mayBe">>`
    select u.network, u.tx_id as "txId", u.height, u.pays, u.found_at as "foundAt", coalesce((
      select jsonb_agg(jsonb_build_object('id', p.id::text, 'owner', p.owner) order by p.id) from (
        select p.id, coalesce('order ' || p.order_id, 'withdrawal ' || p.withdrawal_id, p.purpose) as owner from payouts p
        where p.network = u.network and (p.state = 'broadcast' or p.state in ('intended', 'review')
            and not exists (select from payout_attempts a where a.payout_id = p.id and a.status in ('prepared', 'broadcast')))
          and (u.pays is null or u.pays @> jsonb_build_array(
            jsonb_build_object('to', p.to_address, 'slug', p.slug, 'amount', p.amount::text)))
        order by p.id limit ${MAX_NAMED}
      ) p), '[]') as "mayBe"
    from unknown_payments u where u.decision is null order by u.found_at`.execute(database.kysely);
  return rows.map((row) => ({ ...row, pays: paysSchema.parse(row.pays), mayBe: mayBeSchema.parse(row.mayBe) }));
}

/**
 * The payments of a network that operators know to be made outside of this program, but for those that pay what `payout` owes: of these
 * one may be its own, whatever was said of it.
 */
export async function foreignPayments(
  { kysely }: Database,
  payout: { network: string; toAddress: string; slug: string; amount: bigint },
): Promise<string[]> {
  const same = JSON.stringify([{ to: payout.toAddress, slug: payout.slug, amount: payout.amount.toString() }]);
  const { rows } = await sql<{ txId: string }>`
    select tx_id as "txId" from unknown_payments
    where network = ${payout.network} and decision = 'not ours' and not pays @> ${same}::jsonb`.execute(kysely);
  return rows.map(({ txId }) => txId);
}

type Named = { network: string; txId: string; at: Date };

type OfOrder = { network: string; orderId: string | null; depositId: bigint | null; exchangeId: bigint | null };

/**
 * Why a payment waits that another one, which no row knows, may have made already on any network (engine laws 4, 12): a restored database
 * may have forgotten it, and refund on one network what was paid out on another. Null where nothing speaks against it.
 */
export async function unknownPaymentStop(database: Database, payout: OfOrder): Promise<string | null> {
  const orderId = await orderOf(database, payout);
  const unread = await unreadNetwork(database, payout.network, orderId);
  if (unread !== null)
    return `${unread} is not read to its tip since the database was restored (npm run admin -- held)`;
  const txId = orderId === null ? null : await unknownPaymentOfOrder(database, orderId);
  if (txId === null) return null;
  return `${txId}, which no row knows, may have paid its order (npm run admin -- unknown-payments)`;
}

/** The order that a payment is made for: also what returns a deposit to it, and what pays a partner for it. */
async function orderOf({ kysely }: Database, { orderId, depositId, exchangeId }: OfOrder): Promise<string | null> {
  if (orderId !== null) return orderId;
  const source =
    depositId !== null
      ? kysely.selectFrom("deposits").select("order_id").where("id", "=", depositId)
      : kysely.selectFrom("partner_exchanges").select("order_id").where("id", "=", exchangeId);
  return depositId === null && exchangeId === null ? null : ((await source.executeTakeFirst())?.order_id ?? null);
}

async function unreadNetwork({ kysely }: Database, network: string, orderId: string | null): Promise<string | null> {
  const { rows } = await sql<{ network: string }>`
    select f.network from followed_networks f
    where f.unread_since is not null and (f.network = ${network} or exists (
      select from orders o where o.id = ${orderId}
        and f.network in (o.snapshot#>>'{terms,from,networkTitle}', o.snapshot#>>'{terms,to,networkTitle}')))
    limit 1`.execute(kysely);
  return rows[0]?.network ?? null;
}

/** Lets payments go on that wait for a network which was not read since a restore. Throws `OperatorError` where there is none. */
export async function skipReading(transaction: Transaction<Schema>, network: string): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("followed_networks")
    .set({ unread_since: null })
    .where("network", "=", network)
    .where("unread_since", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new OperatorError(`${network} is no network that waits to be read.`);
}

/** An undecided payment that may have paid this order on any network; null where there is none. */
async function unknownPaymentOfOrder({ kysely }: Database, orderId: string): Promise<string | null> {
  const { rows } = await sql<{ txId: string }>`
    select u.tx_id as "txId" from unknown_payments u, orders o
    where u.decision is null and o.id = ${orderId} and case
      when u.pays is null then u.network in (o.snapshot#>>'{terms,from,networkTitle}', o.snapshot#>>'{terms,to,networkTitle}')
      else exists (select from jsonb_array_elements(u.pays) p
        where p->>'to' in (o.snapshot#>>'{terms,destination,address}', o.snapshot#>>'{terms,refund,address}')) end
    limit 1`.execute(kysely);
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

/**
 * Decides that such a payment is the one that a row still has to make: it is watched from here on and never made again. Throws
 * `OperatorError` unless the row waits for exactly this payment, as far as the chain shows what it paid.
 */
export async function bookUnknownPayment(
  transaction: Transaction<Schema>,
  { network, txId, payoutId, at }: Named & { payoutId: bigint },
): Promise<void> {
  const pays = await lockUnknown(transaction, { network, txId });
  const payout = await lockPayout(transaction, payoutId);
  if (payout?.network !== network) throw new OperatorError(`${network} has no payment ${payoutId}.`);
  const live = await liveAttempts(transaction, payoutId);
  // One that is on its way may have been replaced after the backup was made.
  const isOpen = payout.state === "broadcast" || (live.length === 0 && ["intended", "review"].includes(payout.state));
  if (!isOpen) throw new OperatorError(`Payment ${payoutId} was signed already, or is over.`);
  const isSame = ({ to, slug, amount }: { to: string; slug: string; amount: string }) =>
    to === payout.toAddress && slug === payout.slug && amount === payout.amount.toString();
  if (pays !== null && !pays.some(isSame))
    throw new OperatorError(`${txId} does not pay what payment ${payoutId} owes.`);
  // Its bytes are unknown: it can be looked up, and never be sent again.
  const booked = { txId, raw: "", at, status: "broadcast", excludesReplaced: live.length > 0 } as const;
  await storeAttempt(transaction, payout, booked);
  await transaction
    .updateTable("payouts")
    .set({ state: "broadcast", review_reason: null, next_attempt_at: at })
    .where("id", "=", payoutId)
    .execute();
  await decide(transaction, { network, txId, at }, "booked", payoutId);
}

/** Decides that such a payment was made outside of this program. The ledger learns of it from the reconciler. */
export async function dismissUnknownPayment(transaction: Transaction<Schema>, named: Named): Promise<void> {
  await lockUnknown(transaction, named);
  await decide(transaction, named, "not ours", null);
}

async function lockUnknown(transaction: Transaction<Schema>, { network, txId }: Omit<Named, "at">) {
  const row = await transaction
    .selectFrom("unknown_payments")
    .select("pays")
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .where("decision", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new OperatorError(`${network} has no undecided payment ${txId}.`);
  return paysSchema.parse(row.pays);
}

async function decide(
  transaction: Transaction<Schema>,
  { network, txId, at }: Named,
  decision: "booked" | "not ours",
  payoutId: bigint | null,
): Promise<void> {
  await transaction
    .updateTable("unknown_payments")
    .set({ decision, payout_id: payoutId, decided_at: at })
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .execute();
}
