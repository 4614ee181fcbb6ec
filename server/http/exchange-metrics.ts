import { setTimeout as delay } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { IS_DUST_OF_ENDED } from "../db/idle-dust.ts";

/** A scrape waits for the database no longer than this. */
const DATABASE_TIMEOUT_MS = 2_000;

type Value = { labels: Record<string, string>; value: number };

/**
 * Figures of the exchange, beside those of the process; each is read from the rows when it is collected, and has no values while the
 * database does not answer.
 */
export function measureExchange(
  registry: Registry,
  database: Database,
  /** What this process knows of each network. */
  networks: () => ReadonlyMap<string, NetworkFigures>,
): void {
  const gauge = (name: string, help: string, labelNames: string[], read: () => Promise<Value[]>): void => {
    const one: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        const values = await read();
        one.reset();
        for (const { labels, value } of values) one.set(labels, value);
      },
    });
  };
  const isDatabaseUp = databaseProbe(database);
  const rows = (name: string, help: string, labelNames: string[], read: () => Promise<Value[]>): void =>
    gauge(name, help, labelNames, async () => ((await isDatabaseUp()) ? read() : []));
  gauge("database_up", "1 while the database answers within two seconds, else 0", [], async () => [
    { labels: {}, value: (await isDatabaseUp()) ? 1 : 0 },
  ]);
  rows("order_oldest_seconds", "Age of the oldest order that is paid for and not done, by state", ["state"], () =>
    oldestOrders(database),
  );
  rows("payout_attempts_unconfirmed", "Signed transactions that no block shows yet, by network", ["network"], () =>
    unconfirmedAttempts(database),
  );
  rows("payments_in_review", "Payments that wait for an operator, by network and reason", ["network", "reason"], () =>
    paymentsInReview(database),
  );
  rows(
    "payments_stuck",
    "Payments that no block takes and that can't be replaced or signed now, by network and reason",
    ["network", "reason"],
    () => stuckPayments(database),
  );
  rows("deposits_in_review", "Deposits that wait for an operator, by network and reason", ["network", "reason"], () =>
    depositsInReview(database),
  );
  rows(
    "refunds_stopped",
    "Refunds that their owners stopped and that wait for an operator, by network",
    ["network"],
    () => refundsStopped(database),
  );
  rows(
    "unknown_payments",
    "Payments from a hot wallet that no row knows: nothing is signed on their network, by network",
    ["network"],
    () => unknownPayments(database),
  );
  rows("follower_lag_blocks", "Blocks of the node that the stored tail does not have yet", ["network"], () =>
    followerLag(database, networks()),
  );
  gauge("network_up", "1 while a network can be used, 0 while it is down", ["network"], async () =>
    [...networks()].map(([network, { isUp }]) => ({ labels: { network }, value: isUp ? 1 : 0 })),
  );
  gauge("network_head_height", "Newest block of a network's node", ["network"], async () =>
    headValues(networks(), ({ height }) => height),
  );
  gauge("network_head_age_seconds", "How long a network's node has shown no newer block", ["network"], async () =>
    headValues(networks(), ({ ageSeconds }) => ageSeconds),
  );
  rows(
    "hot_wallet_drift",
    "What the hot wallet held at its last check less what the ledger says, in minor units; payments under way are below zero",
    ["slug"],
    () => hotDrift(database),
  );
  rows(
    "ledger_imbalance",
    "Sum of all accounts of an instrument, in minor units; anything but zero is a defect",
    ["slug"],
    () => imbalance(database),
  );
}

/** Whether the database answers; the gauges of one page share the question, so that a database that hangs keeps one connection busy. */
function databaseProbe({ pool }: Database): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null;
  const ask = async (): Promise<boolean> => {
    const over = new AbortController();
    const late = delay(DATABASE_TIMEOUT_MS, false, { signal: over.signal }).catch(() => false);
    // Why it does not answer is in the log of the health check.
    const answer = pool.query("select 1").then(
      () => true,
      () => false,
    );
    const isUp = await Promise.race([answer, late]);
    over.abort();
    return isUp;
  };
  return () =>
    (asking ??= ask().finally(() => {
      asking = null;
    }));
}

async function oldestOrders({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<{ state: string; seconds: number }>`
    select state, extract(epoch from now() - min(created_at))::float8 as seconds from orders
    where state not in ('awaiting_deposit', 'expired', 'completed', 'refunded') group by state`.execute(kysely);
  return rows.map(({ state, seconds }) => ({ labels: { state }, value: Math.max(0, seconds) }));
}

async function unconfirmedAttempts({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<{ network: string; attempts: number }>`
    select network, count(*)::int as attempts from payout_attempts
    where status in ('prepared', 'broadcast') group by network`.execute(kysely);
  return rows.map(({ network, attempts }) => ({ labels: { network }, value: attempts }));
}

type Held = { network: string; reason: string | null; count: number };
const heldValues = (rows: readonly Held[]): Value[] =>
  rows.map(({ network, reason, count }) => ({ labels: { network, reason: reason ?? "" }, value: count }));

async function paymentsInReview({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<Held>`
    select network, review_reason as reason, count(*)::int as count from payouts
    where state = 'review' group by network, review_reason`.execute(kysely);
  return heldValues(rows);
}

async function stuckPayments({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<Held>`
    select network, stuck_reason as reason, count(*)::int as count from payouts
    where stuck_at is not null group by network, stuck_reason`.execute(kysely);
  return heldValues(rows);
}

async function depositsInReview({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<Held>`
    select network, review_reason as reason, count(*)::int as count from deposits d
    where review_reason is not null and not ${IS_DUST_OF_ENDED} group by network, review_reason`.execute(kysely);
  return heldValues(rows);
}

async function refundsStopped({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<{ network: string; count: number }>`
    select network, count(*)::int as count from stopped_refunds where released_at is null group by network`.execute(
    kysely,
  );
  return rows.map(({ network, count }) => ({ labels: { network }, value: count }));
}

async function unknownPayments({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<{ network: string; count: number }>`
    select network, count(*)::int as count from unknown_payments where decision is null group by network`.execute(
    kysely,
  );
  return rows.map(({ network, count }) => ({ labels: { network }, value: count }));
}

type NetworkFigures = { isUp: boolean; head: Head | null };
type Head = { height: number; ageSeconds: number };

const headValues = (networks: ReadonlyMap<string, NetworkFigures>, read: (head: Head) => number): Value[] =>
  [...networks].flatMap(([network, { head }]) => (head === null ? [] : [{ labels: { network }, value: read(head) }]));

async function followerLag({ kysely }: Database, networks: ReadonlyMap<string, NetworkFigures>): Promise<Value[]> {
  const { rows } = await sql<{ network: string; height: number }>`
    select network, max(height)::int as height from chain_tail group by network`.execute(kysely);
  return rows.flatMap(({ network, height }) => {
    const head = networks.get(network)?.head ?? null;
    return head === null ? [] : [{ labels: { network }, value: Math.max(0, head.height - height) }];
  });
}

async function hotDrift({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<{ slug: string; drift: string }>`
    select s.slug, (s.amount + coalesce(a.balance, 0))::text as drift
    from hot_balances s left join ledger_accounts a on a.name = 'hot' and a.slug = s.slug`.execute(kysely);
  return rows.map(({ slug, drift }) => ({ labels: { slug }, value: Number(drift) }));
}

async function imbalance({ kysely }: Database): Promise<Value[]> {
  const { rows } = await sql<{ slug: string; sum: string }>`
    select slug, sum(balance)::text as sum from ledger_accounts group by slug`.execute(kysely);
  return rows.map(({ slug, sum }) => ({ labels: { slug }, value: Number(sum) }));
}
