import { sql } from "kysely";
import { type AreaMetric, type CountedRow, countsByNetwork } from "../base/area-metric.ts";
import type { Database } from "../db/database.ts";

/** Payments that are under way or wait for an operator, and whether the books agree with the chains and with themselves. */
export const treasuryMetrics = ({ kysely }: Database): AreaMetric[] => [
  {
    name: "payout_attempts_unconfirmed",
    help: "Signed transactions that no block shows yet, by network",
    labelNames: ["network"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<CountedRow>`
        select network, count(*)::int as count from payout_attempts
        where status in ('prepared', 'broadcast') group by network`.execute(kysely);
      return countsByNetwork(rows);
    },
  },
  {
    name: "payments_in_review",
    help: "Payments that wait for an operator, by network and reason",
    labelNames: ["network", "reason"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<CountedRow>`
        select network, review_reason as reason, count(*)::int as count from payouts
        where state = 'review' group by network, review_reason`.execute(kysely);
      return countsByNetwork(rows);
    },
  },
  {
    name: "payments_stuck",
    help: "Payments that no block takes and that can't be replaced or signed now, by network and reason",
    labelNames: ["network", "reason"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<CountedRow>`
        select network, stuck_reason as reason, count(*)::int as count from payouts
        where stuck_at is not null group by network, stuck_reason`.execute(kysely);
      return countsByNetwork(rows);
    },
  },
  {
    name: "payments_queued",
    help: "Payments that are not signed because as many of their network as may wait for a block, by network",
    labelNames: ["network"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<CountedRow>`
        select network, count(*)::int as count from payouts
        where queued_at is not null and state = 'intended' group by network`.execute(kysely);
      return countsByNetwork(rows);
    },
  },
  {
    name: "payments_queued_seconds",
    help: "For how long the oldest of them has been queued, by network; missing while none is",
    labelNames: ["network"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ network: string; seconds: number }>`
        select network, extract(epoch from now() - min(queued_at))::double precision as seconds from payouts
        where queued_at is not null and state = 'intended' group by network`.execute(kysely);
      return rows.map(({ network, seconds }) => ({ labels: { network }, value: seconds }));
    },
  },
  {
    name: "sweeps_in_review",
    help: "Sweeps that can't be made and wait for an operator, by network and reason",
    labelNames: ["network", "reason"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<CountedRow>`
        select network, review_reason as reason, count(*)::int as count from sweeps
        where review_reason is not null group by network, review_reason`.execute(kysely);
      return countsByNetwork(rows);
    },
  },
  {
    name: "unknown_payments",
    help: "Payments from a hot wallet that no row knows: nothing is signed on their network, by network",
    labelNames: ["network"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<CountedRow>`
        select network, count(*)::int as count from unknown_payments where decision is null group by network`.execute(
        kysely,
      );
      return countsByNetwork(rows);
    },
  },
  {
    name: "stopped",
    help: "1 for each thing that is stopped, by whom or what: an operator, a follower or the reconciler",
    labelNames: ["action", "scope", "direction", "cause"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<Record<"action" | "scope" | "direction" | "cause", string>>`
        select action, scope, direction, cause from kill_switches`.execute(kysely);
      return rows.map((labels) => ({ labels, value: 1 }));
    },
  },
  {
    name: "waiting_for_operator",
    help: "What waits for an operator beside payments, deposits and refunds, by kind",
    labelNames: ["kind"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ kind: string; count: number }>`
        select 'exchange' as kind, count(*)::int as count from partner_exchanges where state = 'review'
        union all select 'card order', count(*)::int from card_orders where review_at is not null
        union all select 'withdrawal', count(*)::int from withdrawals where state = 'review'
        union all select 'accrual', count(*)::int from wallet_credits where state = 'review'
        union all select 'verification', count(*)::int from verifications where status in ('CREATED', 'PROCESS')
        union all select 'proposal', count(*)::int from adjustments a where a.confirmed_at is null and a.withdrawn_at is null
          and (a.payout_id is null or exists (select from payouts p where p.id = a.payout_id and p.state = 'review'))
          and (a.sweep_id is null or exists (select from sweeps s where s.id = a.sweep_id and s.review_reason is not null))
          and (a.order_id is null or exists (select from undecided_orders u where u.order_id = a.order_id and u.held_at <= a.proposed_at))`.execute(
        kysely,
      );
      return rows.map(({ kind, count }) => ({ labels: { kind }, value: count }));
    },
  },
  {
    name: "hot_wallet_drift",
    help: "What the hot wallet held at its last check less what the ledger says, in minor units; payments under way are below zero",
    labelNames: ["slug"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ slug: string; drift: string }>`
        select s.slug, (s.amount + coalesce(a.balance, 0))::text as drift
        from hot_balances s left join ledger_accounts a on a.name = 'hot' and a.slug = s.slug`.execute(kysely);
      return rows.map(({ slug, drift }) => ({ labels: { slug }, value: Number(drift) }));
    },
  },
  {
    name: "suspense",
    help: "Coins in hot wallets that the books do not explain and nobody has decided, in minor units; missing where there are none",
    labelNames: ["slug"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ slug: string; balance: string }>`
        select slug, balance::text as balance from ledger_accounts where name = 'suspense' and balance > 0`.execute(
        kysely,
      );
      return rows.map(({ slug, balance }) => ({ labels: { slug }, value: Number(balance) }));
    },
  },
  {
    name: "deposit_addresses_missing",
    help: "What deposit addresses hold less than the ledger says, in minor units, by network and instrument; missing where they agree",
    labelNames: ["network", "slug"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ network: string; slug: string; missing: string }>`
        select network, slug, sum(expected - actual - booked)::text as missing from deposit_drifts
        where expected - actual <> booked group by network, slug`.execute(kysely);
      return rows.map(({ network, slug, missing }) => ({ labels: { network, slug }, value: Number(missing) }));
    },
  },
  {
    name: "hot_wallet_over_cap",
    help: "What a hot wallet holds above HOT_WALLET_CAP_USD, in minor units; missing while it holds no more",
    labelNames: ["slug"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ slug: string; over: string }>`
        select slug, over_cap::text as over from hot_balances where over_cap is not null`.execute(kysely);
      return rows.map(({ slug, over }) => ({ labels: { slug }, value: Number(over) }));
    },
  },
  {
    name: "ledger_imbalance",
    help: "Sum of all accounts of an instrument, in minor units; anything but zero is a defect",
    labelNames: ["slug"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ slug: string; sum: string }>`
        select slug, sum(balance)::text as sum from (
          select slug, balance from ledger_accounts where user_id is null union all select slug, balance from wallet_sums
        ) all_accounts group by slug`.execute(kysely);
      return rows.map(({ slug, sum }) => ({ labels: { slug }, value: Number(sum) }));
    },
  },
];
