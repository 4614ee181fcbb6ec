import { sql, type RawBuilder } from "kysely";
import { archivedTables } from "../../db/archived-orders.ts";
import * as z from "zod";
import type { Database } from "../../db/database.ts";
import { decodeState, isPublicKind, type OrderState } from "../decisions/order.ts";
import type { OrderEventKind } from "#contract/order.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import { type DepositRow, LATEST_DUST } from "../processing/store.ts";

/** Everything on an order's page, from the rows of one moment. */
export type OrderRows = {
  id: string;
  reference: string;
  state: OrderState;
  userEmail: string | null;
  isEmailConfirmed: boolean;
  /** Newest first. */
  events: { kind: OrderEventKind; at: Date }[];
  deposits: DepositRow[];
  depositTip: number | null;
  payout: PayoutRow | null;
  /** What it waits for, as its last step left it. */
  wait: string | null;
  /** Until when it waits for its deposit; null while it has one. */
  unpaidUntil: Date | null;
  /** Whether a kill switch stops the payment that it owes. */
  isPayingStopped: boolean;
};

export type PayoutRow = {
  amount: bigint;
  slug: string;
  purpose: "payout" | "refund";
  txId: string | null;
  minedHeight: number | null;
  tip: number | null;
  isInReview: boolean;
};

const amount = z.string().transform(BigInt);
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const rowSchema = z.object({
  id: z.string(),
  reference: z.string(),
  snapshot: z.unknown(),
  user_email: z.string().nullable(),
  is_email_confirmed: z.boolean(),
  events: z.array(z.object({ kind: z.string(), at: time })),
  deposits: z.array(
    z.object({
      id: amount,
      key: z.string(),
      txId: z.string(),
      slug: z.string(),
      amount,
      height: z.int().nullable(),
      inMempool: z.boolean(),
      detectedAt: time,
      minedAt: time.nullable(),
      goneSince: time.nullable(),
      creditedAt: time.nullable(),
      reviewReason: z.string().nullable(),
    }),
  ),
  deposit_tip: z.int().nullable(),
  payout: z
    .object({
      amount,
      slug: z.string(),
      purpose: z.enum(["payout", "refund"]),
      txId: z.string().nullable(),
      minedHeight: z.int().nullable(),
      tip: z.int().nullable(),
      isInReview: z.boolean(),
    })
    .nullable(),
  waiting_for: z.string().nullable(),
  unpaid_until: z.date().nullable(),
  is_paying_stopped: z.boolean(),
});

/** Reads an order's page in one round trip, so that all of it is of one moment; null when there is no such order. */
export async function readOrderRows(database: Database, id: string): Promise<OrderRows | null> {
  return (await readRowsOfOrders(database, [id]))[0] ?? null;
}

/** The same for several orders at once, in the order of their ids; unknown ones are left out. */
export async function readRowsOfOrders(database: Database, ids: readonly string[]): Promise<OrderRows[]> {
  const found = new Map<string, OrderRows>();
  const take = (rows: readonly unknown[]) => {
    for (const given of rows) {
      const row = rowSchema.parse(given);
      found.set(row.id, rowsOf(row));
    }
  };
  const missing = () => ids.filter((id) => !found.has(id));
  take((await pagesOf(ids).execute(database.kysely)).rows);
  if (missing().length > 0)
    take((await sql`${archivedTables(missing())} ${pagesOf(missing())}`.execute(database.kysely)).rows);
  // Between the two reads it may have come back.
  if (missing().length > 0) take((await pagesOf(missing()).execute(database.kysely)).rows);
  return ids.flatMap((id) => found.get(id) ?? []);
}

const rowsOf = (row: z.output<typeof rowSchema>): OrderRows => ({
  id: row.id,
  reference: row.reference,
  state: decodeState(row.snapshot),
  userEmail: row.user_email,
  isEmailConfirmed: row.is_email_confirmed,
  events: row.events.flatMap(({ kind, at }) => (isPublicKind(kind) ? [{ kind, at }] : [])),
  deposits: row.deposits,
  depositTip: row.deposit_tip,
  payout: row.payout,
  wait: row.waiting_for,
  unpaidUntil: row.unpaid_until,
  isPayingStopped: row.is_paying_stopped,
});

const pagesOf = (ids: readonly string[]): RawBuilder<unknown> => sql`
    select o.id, o.reference, o.snapshot, o.user_email, o.waiting_for, o.unpaid_until,
      coalesce(o.is_email_confirmed, true) as is_email_confirmed,
      exists (select 1 from kill_switches k where k.action = 'pay' and (
        k.scope in ('*', o.snapshot->'terms'->'to'->>'networkTitle', o.to_slug) and k.direction <> 'from' and o.state = 'paying'
        or k.scope in ('*', o.snapshot->'terms'->'from'->>'networkTitle', o.from_slug) and k.direction <> 'to' and o.state = 'refunding'
      )) as is_paying_stopped,
      (select coalesce(jsonb_agg(jsonb_build_object('kind', e.kind, 'at', e.at) order by e.seq desc), '[]')
        from order_events e where e.order_id = o.id and e.seq <= o.version) as events,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'id', d.id::text, 'key', d.tx_id || ':' || d.output_index, 'txId', d.tx_id, 'slug', d.slug,
          'amount', d.amount::text, 'height', d.block_height, 'detectedAt', d.detected_at,
          'inMempool', d.in_mempool, 'minedAt', d.mined_at, 'goneSince', d.gone_since, 'creditedAt', d.credited_at, 'reviewReason', d.review_reason) order by d.id), '[]')
        from (select * from deposits where order_id = o.id and review_reason is distinct from ${REVIEW_REASON.dust}
          union all (select * from deposits where order_id = o.id and review_reason = ${REVIEW_REASON.dust} order by id desc limit ${LATEST_DUST})) d
      ) as deposits,
      (select max(t.height) from chain_tail t where t.network = o.snapshot->'terms'->'from'->>'networkTitle') as deposit_tip,
      (select jsonb_build_object(
          'amount', p.amount::text, 'slug', p.slug, 'purpose', p.purpose, 'minedHeight', p.mined_height,
          'isInReview', p.state = 'review' or (p.state = 'intended' and coalesce(p.stuck_reason, '') = 'not_enough_funds'),
          'txId', coalesce(
            (select a.tx_id from payout_attempts a where a.payout_id = p.id and a.status <> 'dead'
              order by a.status = 'mined' desc, a.n desc limit 1),
            (select x.payout_tx_id from partner_exchanges x where x.order_id = o.id and x.state = 'finished' limit 1)),
          'tip', (select max(t.height) from chain_tail t where t.network = p.network))
        from payouts p where p.order_id = o.id and p.state <> 'returned') as payout
    from orders o where o.id = any(${ids}::text[])`;
