import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** What waits for an operator: its subject, the reason, and for how long. */
export type HeldRow = { subject: string; reason: string; details: string; seconds: number };

/** Every row that waits for an operator, the oldest first. */
export async function listHeld(database: Database): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select subject, reason, details, greatest(0, seconds)::int as seconds from (
      select 'payout ' || p.id as subject, coalesce(p.review_reason, '') as reason,
        concat_ws(', ', p.purpose || ' of ' || p.amount || ' ' || p.slug, 'order ' || p.order_id, p.last_error,
          case when p.refund_requested_at is not null then 'refund requested' end) as details,
        extract(epoch from now() - coalesce(p.review_at, p.created_at)) as seconds
      from payouts p where p.state = 'review'
      union all
      select 'payout ' || p.id, p.stuck_reason,
        concat_ws(', ', 'no block takes the ' || p.purpose || ' of ' || p.amount || ' ' || p.slug, 'order ' || p.order_id,
          'replaced ' || p.replacements || ' times'),
        extract(epoch from now() - p.stuck_at)
      from payouts p where p.stuck_at is not null
      union all
      select 'deposit ' || d.id, d.review_reason,
        concat_ws(', ', d.amount || ' ' || d.slug || ' in ' || d.tx_id, 'order ' || d.order_id,
          case when d.refund_requested_at is not null then 'refund requested' end),
        extract(epoch from now() - d.detected_at)
      from deposits d where d.review_reason is not null
      union all
      select 'exchange ' || x.id, coalesce(x.reason, ''), 'at ' || x.partner || ', order ' || x.order_id,
        extract(epoch from now() - x.created_at)
      from partner_exchanges x where x.state = 'review'
      union all
      select 'stop ' || k.action || ' ' || k.scope || ' ' || k.direction, k.reason,
        'by the ' || k.cause || case when k.missing = '{}' then '' else ', missing ' || k.missing::text end,
        extract(epoch from now() - k.at)
      from kill_switches k
      union all
      select 'proposal ' || a.id, a.reason,
        a.amount || ' ' || a.slug || ' in ' || a.account || ' of ' || a.network || ', proposed by ' || a.proposed_by,
        extract(epoch from now() - a.proposed_at)
      from adjustments a where a.confirmed_at is null
    ) held order by seconds desc, subject`.execute(database.kysely);
  return rows;
}
