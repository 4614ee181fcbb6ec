import { sql } from "kysely";
import type { Database } from "../../../server/db/database.ts";

/** Laws that the rows alone can break, each with its violations as texts. */
const CHECKS = [
  // Law 2: the snapshot is made of the events, one version each.
  sql`select 'order ' || o.id || ' is at version ' || o.version || ' with ' || count(e.seq) || ' events' as violation
    from orders o left join order_events e on e.order_id = o.id group by o.id having count(e.seq) <> o.version`,
  // Law 5: a handle is reserved by one payment, also after the chain has used it.
  sql`select 'handle ' || key || ' of ' || network || ' is reserved ' || count(*) || ' times' as violation
    from payout_handles where released_at is null or used_at is not null group by network, key having count(*) > 1`,
  // Law 7: a deposit is one row, whatever showed it.
  sql`select 'deposit ' || tx_id || ':' || output_index || ' is counted ' || count(*) || ' times' as violation
    from deposits group by network, tx_id, output_index having count(*) > 1`,
  // Law 8: the tail is one chain.
  sql`select 'block ' || height || ' of ' || network || ' does not follow the one before it' as violation
    from (select network, height, parent_hash, lag(hash) over tail as before, lag(height) over tail as under
      from chain_tail window tail as (partition by network order by height)) linked
    where before is not null and (before <> parent_hash or under + 1 <> height)`,
  // Law 12: the terms are those of the creation.
  sql`select 'order ' || o.id || ' has other terms than it was made with' as violation
    from orders o join order_events e on e.order_id = o.id and e.kind = 'CREATION_END'
    where e.data -> 'terms' <> o.snapshot -> 'terms'`,
  // Law 14: what is paid is what the order itself says.
  sql`select 'payment ' || p.id || ' is not what order ' || o.id || ' owes' as violation
    from payouts p join orders o on o.id = p.order_id
    where (p.purpose = 'payout' and (p.amount::text is distinct from o.snapshot -> 'payout' ->> 'amount'
        or p.to_address is distinct from o.snapshot -> 'terms' -> 'destination' ->> 'address'))
      or (p.purpose = 'refund' and (p.amount::text is distinct from o.snapshot -> 'refund' ->> 'amount'
        or p.to_address is distinct from o.snapshot -> 'refund' -> 'to' ->> 'address'))`,
  // Law 10: a wallet is what was credited less what was withdrawn, and no more is held than open withdrawals.
  sql`select a.name || ' of ' || a.slug || ' is ' || a.balance || ', not its credits less its withdrawals' as violation
    from ledger_accounts a where a.user_id is not null and a.balance <> coalesce((
        select sum(case c.state when 'completed' then c.amount + c.outstanding when 'reversed' then c.lost else 0 end) from wallet_credits c
        where c.user_id = a.user_id and c.slug = a.slug), 0)
      - coalesce((select sum(w.amount) from withdrawals w
        where w.user_id = a.user_id and w.slug = a.slug and w.state <> 'rejected'), 0)`,
  sql`select 'held of ' || a.slug || ' is ' || a.balance || ', not the open withdrawals' as violation
    from ledger_accounts a where a.name = 'held' and a.balance <> coalesce((
      select sum(w.amount) from withdrawals w where w.slug = a.slug and w.state in ('review', 'approved')), 0)`,
  sql`select 'payment ' || p.id || ' is not withdrawal ' || w.id as violation from payouts p join withdrawals w on w.id = p.withdrawal_id
    where p.amount <> coalesce(w.paid_amount, w.amount - w.network_fee) or p.to_address <> w.address
      or p.slug <> coalesce(w.paid_slug, w.slug)`,
  // Contract §9: at most our fee is given away, and nothing for what was not completed.
  sql`select 'order ' || o.id || ' has earned something and is ' || o.state as violation
    from orders o join wallet_credits c on c.order_id = o.id where o.state <> 'completed'`,
];

/** Every contradiction between the rows. */
export async function rowViolations(database: Database): Promise<string[]> {
  const found: string[] = [];
  for (const check of CHECKS) {
    const { rows } = await sql<{ violation: string }>`${check}`.execute(database.kysely);
    found.push(...rows.map(({ violation }) => violation));
  }
  return found;
}
