import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { HELD_AFTER_FAILURES } from "../../db/job-failures.ts";
import { IS_DUST_OF_ENDED, IS_LATEST_DUST } from "../../db/idle-dust.ts";
import { LARGE_PAYMENT } from "../payouts/failures.ts";
import { mayBePayments } from "../payouts/matches/payment-matches.ts";

/** A part of what is said of a row: a text, or an amount in minor units after one. */
export type HeldDetail = { text: string; amount: null } | { text: string; amount: bigint; slug: string };

/** What waits for an operator: its subject, the reason, and for how long. */
export type HeldRow = { subject: string; reason: string; details: HeldDetail[]; seconds: number };

type Row = Omit<HeldRow, "details"> & {
  texts: string[];
  amounts: { text: string; amount: string; slug: string }[];
};

/** Every row that waits for an operator, the oldest first. */
export async function listHeld(database: Database): Promise<HeldRow[]> {
  const { rows } = await sql<Row>`
    select subject, reason, amounts, array_remove(texts, null) as texts, greatest(0, seconds)::int as seconds from (
      select 'payout ' || p.id as subject, coalesce(p.review_reason, '') as reason,
        ${amount("p.purpose || ' of'", "p.amount", "p.slug")} as amounts,
        array['order ' || p.order_id, 'withdrawal ' || p.withdrawal_id, p.last_error, case when p.refund_requested_at is not null then 'refund requested' end,
          case when p.review_reason = ${LARGE_PAYMENT} and p.approval_confirmed_by is null then 'release proposed by ' || p.approval_proposed_by end] as texts,
        extract(epoch from now() - coalesce(p.review_at, p.created_at)) as seconds
      from payouts p where p.state = 'review'
      union all
      select 'payout ' || p.id, p.stuck_reason,
        ${amount("case p.state when 'intended' then 'not signed yet: the ' else 'no block takes the ' end || p.purpose || ' of'", "p.amount", "p.slug")},
        array['order ' || p.order_id, 'replaced ' || p.replacements || ' times'],
        extract(epoch from now() - p.stuck_at)
      from payouts p where p.stuck_at is not null
      union all
      select 'sweep ' || s.id, s.review_reason, ${amount("'sweep of'", "s.amount", "s.slug")}, array['from ' || s.address, s.last_error],
        extract(epoch from now() - s.review_at)
      from sweeps s where s.review_reason is not null
      union all
      select 'deposit ' || d.id, d.review_reason, ${amount("''", "d.amount", "d.slug")},
        array['in ' || d.tx_id, 'order ' || d.order_id, case when d.refund_requested_at is not null then 'refund requested' end],
        extract(epoch from now() - d.detected_at)
      from deposits d where d.review_reason is not null and not ${IS_DUST_OF_ENDED} and ${IS_LATEST_DUST}
      union all
      select 'refund ' || o.reference, 'refund_stopped', '[]', array['stopped by its owner', 'order ' || o.id],
        extract(epoch from now() - r.stopped_at)
      from stopped_refunds r join orders o on o.id = r.order_id where r.released_at is null
      union all
      select 'order ' || o.reference, u.reason, ${amount("''", "u.received", "u.slug")},
        array['its customer has not chosen', 'order ' || o.id, case when u.refund_requested_at is not null then 'refund requested' end,
          u.last_error],
        extract(epoch from now() - u.held_at)
      from undecided_orders u join orders o on o.id = u.order_id
      union all
      select 'deposit address ' || k.id, 'less_than_booked', ${amount("'missing'", "k.expected - k.actual - k.booked", "k.slug")},
        array['at ' || k.address || ' of ' || k.network], extract(epoch from now() - k.found_at)
      from deposit_drifts k where k.expected - k.actual <> k.booked
      union all
      select 'surplus ' || s.id, 'unexplained_surplus', ${amount("''", "s.amount", "s.slug")}, array['in the hot wallet of ' || s.network],
        extract(epoch from now() - s.found_at)
      from surpluses s where s.ended_at is null
      union all
      select 'job ' || f.queue || ' ' || case when f.queue = 'orders' then o.reference else f.job_id end, 'failed_repeatedly', '[]',
        array[f.failures || ' times', 'order ' || o.id, f.last_error], extract(epoch from now() - f.since)
      from job_failures f left join orders o on f.queue = 'orders' and o.id = f.job_id
      where f.failures >= ${HELD_AFTER_FAILURES} and (f.queue <> 'orders' or o.id is not null)
      union all
      select 'card ' || coalesce(o.reference, ''), coalesce(o.waiting_for, ''), '[]',
        array['at ' || c.provider || ' as ' || coalesce(o.snapshot->'terms'->'card'->>'reference', c.merchant_id), 'order ' || c.order_id,
          c.operator_end || ' by ' || c.operator_end_by],
        extract(epoch from now() - c.review_at)
      from card_orders c left join orders o on o.id = c.order_id where c.review_at is not null
      union all
      select 'exchange ' || x.id, coalesce(x.reason, ''), '[]', array['at ' || x.partner, 'order ' || x.order_id],
        extract(epoch from now() - x.created_at)
      from partner_exchanges x where x.state = 'review'
      union all
      select 'stop ' || k.action || ' ' || k.scope || ' ' || k.direction, k.reason,
        (select coalesce(jsonb_agg(jsonb_build_object('text', 'missing', 'amount', value, 'slug', key) order by key), '[]')
          from jsonb_each_text(k.missing)),
        array['by the ' || k.cause, case when k.cause = 'reconciler' and k.missing = '{}' then 'nothing is missing any more' end], extract(epoch from now() - k.at)
      from kill_switches k
      union all
      select 'hot wallet ' || b.slug, 'over_cap', ${amount("'above the cap'", "b.over_cap", "b.slug")}, '{}',
        extract(epoch from now() - b.over_cap_since)
      from hot_balances b where b.over_cap is not null
      union all
      select 'unknown payment ' || u.network || ' ' || u.tx_id, 'no row knows this payment from the hot wallet',
        coalesce((select jsonb_agg(jsonb_build_object('text', 'to ' || (p->>'to'), 'amount', p->>'amount', 'slug', p->>'slug'))
          from jsonb_array_elements(u.pays) p), '[]')
        || coalesce((select jsonb_agg(jsonb_build_object('text', 'may be payment ' || (m->>'id') || ' of ' || (m->>'owner') || ', which owes',
            'amount', m->>'owes', 'slug', m->>'slug')) from jsonb_array_elements(${mayBePayments}) m), '[]')
        || case when u.sent_slug is null then '[]' else ${amount("'to a hidden address'", "u.sent_amount", "u.sent_slug")} end,
        array[case when u.pays is null and u.sent_slug is null then 'what it pays is hidden' end, 'nothing is signed on ' || u.network], extract(epoch from now() - u.found_at)
      from unknown_payments u where u.decision is null
      union all
      select 'network ' || f.network, 'not read to its tip since the database was restored', '[]',
        array['nothing is signed for its orders', 'waits for ' || f.waits_for], extract(epoch from now() - f.unread_since)
      from followed_networks f where f.unread_since is not null
      union all
      select 'network ' || f.network, 'its mempool speaks against payments', '[]',
        array['nothing is signed there', f.held_for], extract(epoch from now() - f.held_since)
      from followed_networks f where f.held_since is not null and f.unread_since is null
      union all
      select 'network ' || q.network, 'as many of its payments as may wait for a block', '[]',
        array[q.count || ' more are queued, the oldest first'], q.seconds
      from (select network, count(*) as count, extract(epoch from now() - min(queued_at)) as seconds
        from payouts where queued_at is not null and state = 'intended' group by network) q
      union all
      select 'withdrawal ' || w.id, w.review_reason, ${amount("''", "w.amount", "w.slug")}, array['to ' || w.address, 'user ' || w.user_id],
        extract(epoch from now() - w.created_at)
      from withdrawals w where w.state = 'review'
      union all
      select 'accrual ' || c.id, c.review_reason, ${amount("c.source || ' of'", "c.amount", "c.slug")}, array['user ' || c.user_id],
        extract(epoch from now() - c.created_at)
      from wallet_credits c where c.state = 'review'
      union all
      select 'verification ' || v.id, 'an identity to check', '[]', array['user ' || v.user_id], extract(epoch from now() - v.created_at)
      from verifications v where v.status in ('CREATED', 'PROCESS')
      union all
      select 'proposal ' || a.id, a.reason, ${amount("''", "a.amount", "a.slug")},
        array['in ' || a.account || ' of ' || a.network, 'proposed by ' || a.proposed_by],
        extract(epoch from now() - a.proposed_at)
      from adjustments a where a.confirmed_at is null and a.withdrawn_at is null
        and (a.payout_id is null or exists (select from payouts p where p.id = a.payout_id and p.state = 'review'))
        and (a.sweep_id is null or exists (select from sweeps s where s.id = a.sweep_id and s.review_reason is not null))
        and (a.order_id is null or exists (select from undecided_orders u where u.order_id = a.order_id and u.held_at <= a.proposed_at))
    ) held order by seconds desc, subject`.execute(database.kysely);
  return rows.map(({ texts, amounts, ...row }) => ({
    ...row,
    details: [
      ...amounts.map((one) => ({ ...one, amount: BigInt(one.amount) })),
      ...texts.map((text) => ({ text, amount: null })),
    ],
  }));
}

/** One amount as JSON, which has no numbers as long as these. */
const amount = (text: string, value: string, slug: string) =>
  sql.raw(`jsonb_build_array(jsonb_build_object('text', ${text}, 'amount', (${value})::text, 'slug', ${slug}))`);
