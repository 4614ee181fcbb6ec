import { sql } from "kysely";
import type { Database } from "../../server/db/database.ts";
import type { Customer } from "./customer.ts";
import { GIFT, type Earners } from "./earners.ts";
import { EARNINGS_SLUG } from "./market.ts";
import { HOT, type SimChain } from "./sim-chain.ts";

type Parts = { admin: Database; customers: readonly Customer[]; earners: Earners; chain(network: string): SimChain };

/** Our fees of an order are shared 3,000 to 500; each share is rounded down. */
const SHARES = 6n;

/**
 * What accounts have earned and withdrawn, judged by what the simulation itself knows: whose each order is, who has referred it, which
 * payments the chains show, and what was asked for.
 */
export async function earningsViolations(parts: Parts): Promise<string[]> {
  return [
    ...(await accrualViolations(parts)),
    ...(await withdrawalViolations(parts)),
    ...(await walletViolations(parts)),
  ];
}

async function accrualViolations({ admin, customers, earners, chain }: Parts): Promise<string[]> {
  const found: string[] = [];
  const { rows: credits } = await sql<{
    id: bigint;
    user: bigint;
    source: string;
    amount: bigint;
    state: string;
    order: string;
  }>`
    select id, user_id as "user", source, amount, state, order_id as "order" from wallet_credits where order_id is not null`.execute(
    admin.kysely,
  );
  const { rows: completed } = await sql<{ id: string }>`
    select order_id as id from order_events where kind = 'WITHDRAWAL_COMPLETED'`.execute(admin.kysely);
  const ended = new Set(completed.map(({ id }) => id));
  const byOrder = Map.groupBy(credits, ({ order }) => order);
  for (const customer of customers) {
    const { order, n, destination, to } = customer;
    if (order === null) continue;
    const given = byOrder.get(order.id) ?? [];
    byOrder.delete(order.id);
    const { owner, referrer } = earners.of(n);
    const expected = ended.has(order.id)
      ? [
          ...(referrer === null ? [] : [`AFFILIATE ${referrer}`]),
          ...(owner === null ? [] : [`CASHBACK ${owner.userId}`]),
        ]
      : [];
    const earned = given.map(({ source, user }) => `${source} ${user}`).toSorted();
    if (earned.join() !== expected.join())
      found.push(
        `order ${order.id} has earned ${earned.join() || "nothing"} instead of ${expected.join() || "nothing"}`,
      );
    const [share, cashback] = ["AFFILIATE", "CASHBACK"].map(
      (source) => given.find((one) => one.source === source)?.amount,
    );
    if (
      share !== undefined &&
      cashback !== undefined &&
      (share < cashback * SHARES || share > (cashback + 1n) * SHARES)
    )
      found.push(`order ${order.id} has earned ${share} and ${cashback}`);
    const isPaid = chain(to.network)
      .transfers()
      .some((one) => one.from === HOT && one.to === destination);
    if (!isPaid && given.some(({ state }) => state === "completed"))
      found.push(`order ${order.id} has earned something, and the chain has not paid it`);
  }
  for (const id of byOrder.keys()) found.push(`order ${id} has earned something, and nobody made it`);
  return found;
}

async function withdrawalViolations({ admin, earners, chain }: Parts): Promise<string[]> {
  const found: string[] = [];
  const { rows } = await sql<{
    id: string;
    state: string;
    amount: bigint;
    fee: bigint;
    payment: string | null;
    topics: string[];
  }>`
    select w.public_id as id, w.state, w.amount, w.network_fee as fee, p.state as payment,
      array(select topic from outbox o where o.subject = 'withdrawal ' || w.id order by o.id) as topics
    from withdrawals w left join payouts p on p.withdrawal_id = w.id`.execute(admin.kysely);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const asked = new Map(earners.withdrawals.map((one) => [one.id, one]));
  for (const id of byId.keys()) if (!asked.has(id)) found.push(`nobody has asked for withdrawal ${id}`);
  for (const { id, n, amount, address } of earners.withdrawals) {
    const row = id === null ? undefined : byId.get(id);
    if (row === undefined) {
      found.push(`withdrawal ${n} was promised and is gone`);
      continue;
    }
    const received = chain("ETH")
      .transfers()
      .filter(({ from, to }) => from === HOT && to === address.toLowerCase());
    const isSent = row.state === "settled";
    const sums = received.map((one) => one.amount).join();
    if (row.amount !== amount) found.push(`withdrawal ${id} is ${row.amount} instead of ${amount}`);
    if (sums !== (isSent ? `${amount - row.fee}` : ""))
      found.push(`withdrawal ${id} is ${row.state} and was paid: ${sums}`);
    const isHeld = row.state === "approved" && row.payment === "review";
    if (!isSent && row.state !== "rejected" && !isHeld)
      found.push(`withdrawal ${id} is stuck: ${row.state}, ${row.payment}`);
    const end = isSent ? "withdrawal_paid" : "withdrawal_rejected";
    if (!isHeld && (row.topics.at(-1) !== end || new Set(row.topics).size !== row.topics.length))
      found.push(`the owner of withdrawal ${id}, ${row.state}, was told ${row.topics.join()}`);
  }
  return found;
}

/** What was given and earned, less what was asked for and not rejected, is in the wallet. */
async function walletViolations({ admin, earners }: Parts): Promise<string[]> {
  const found: string[] = [];
  const rejected = new Set(
    (await admin.kysely.selectFrom("withdrawals").select("public_id").where("state", "=", "rejected").execute()).map(
      ({ public_id }) => public_id,
    ),
  );
  for (const { userId } of earners.people) {
    const { rows } = await sql<{ balance: bigint; earned: bigint; lost: bigint }>`
      select a.balance,
        coalesce((select sum(c.amount) from wallet_credits c where c.user_id = ${userId} and c.order_id is not null and c.state = 'completed'), 0) as earned,
        coalesce((select sum(c.lost) from wallet_credits c where c.user_id = ${userId}), 0) as lost
      from ledger_accounts a where a.user_id = ${userId} and a.slug = ${EARNINGS_SLUG}`.execute(admin.kysely);
    const { balance = 0n, earned = 0n, lost = 0n } = rows[0] ?? {};
    const out = earners.withdrawals
      .filter(({ by, id }) => by.userId === userId && id !== null && !rejected.has(id))
      .reduce((sum, { amount }) => sum + amount, 0n);
    if (balance < 0n) found.push(`the wallet of ${userId} is below zero: ${balance}`);
    if (balance !== GIFT + earned + lost - out)
      found.push(`the wallet of ${userId} is ${balance} instead of ${GIFT + earned + lost - out}`);
  }
  return found;
}
