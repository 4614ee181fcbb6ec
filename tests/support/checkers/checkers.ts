import { sql } from "kysely";
import type { Database } from "../../../server/db/database.ts";
import { rowViolations } from "./row-checkers.ts";

/** Events in the order in which an order may reach them; a later one never comes before an earlier one. */
const RANK: Record<string, number> = {
  CREATION_END: 0,
  DEPOSIT_REGISTERED: 1,
  INCOMING_FUNDS_DETECTED: 1,
  FUNDS_WITHDRAWAL_START: 3,
  WITHDRAWAL_COMPLETED: 4,
  REFUND_STARTED: 3,
  REFUND_COMPLETED: 4,
};

/** What the canonical chain says about one order, read without the engine. */
export type ChainView = {
  /** Payments that reached the order's destination and refund addresses, in minor units. */
  delivered(orderId: string): Promise<bigint[]>;
  /** Whether a deposit is on the canonical chain of a network, with at least that many confirmations. */
  isDeep(txId: string, confirmations: number, network: string): Promise<boolean>;
};

/**
 * The laws of money, judged on the rows and the chain alone (engine.md, "Checkers"): returns every violation as a text, so that an
 * empty list is the proof. `confirmations` is what a credit needs.
 */
export async function violations(database: Database, chain: ChainView, confirmations: number): Promise<string[]> {
  return [
    ...(await ledgerViolations(database)),
    ...(await paymentViolations(database, chain)),
    ...(await creditViolations(database, chain, confirmations)),
    ...(await eventViolations(database)),
    ...(await lostDeposits(database)),
    ...(await rowViolations(database)),
  ];
}

async function ledgerViolations(database: Database): Promise<string[]> {
  const { rows: sums } = await sql<{ slug: string; sum: bigint }>`
    select a.slug, sum(e.amount) as sum from ledger_entries e join ledger_accounts a on a.id = e.account_id
    group by a.slug having sum(e.amount) <> 0`.execute(database.kysely);
  const { rows: balances } = await sql<{ name: string; slug: string }>`
    select a.name, a.slug from ledger_accounts a left join ledger_entries e on e.account_id = a.id
    group by a.id having a.balance <> coalesce(sum(e.amount), 0)`.execute(database.kysely);
  const { rows: negative } = await sql<{ name: string; slug: string }>`
    select name, slug from ledger_accounts where (name in ('customers', 'revenue', 'held', 'suspense') or user_id is not null) and balance < 0`.execute(
    database.kysely,
  );
  const { rows: wallets } = await sql<{ slug: string }>`
    select slug from (select slug, sum(balance) as balance from ledger_accounts where user_id is not null group by slug) a
    full join wallet_sums w using (slug) where coalesce(a.balance, 0) <> coalesce(w.balance, 0)`.execute(
    database.kysely,
  );
  return [
    ...wallets.map((row) => `the sum of the wallets of ${row.slug} is not that of their accounts`),
    ...sums.map((row) => `the ledger of ${row.slug} sums to ${row.sum}`),
    ...balances.map((row) => `the balance of ${row.name} ${row.slug} is not its entries`),
    ...negative.map((row) => `${row.name} ${row.slug} is below zero`),
  ];
}

async function paymentViolations(database: Database, chain: ChainView): Promise<string[]> {
  const found: string[] = [];
  const orders = await database.kysely.selectFrom("orders").select(["id", "state"]).execute();
  const { rows } = await sql<{ order_id: string; is_own: boolean; amount: bigint; state: string }>`
    select coalesce(p.order_id, d.order_id) as order_id, p.order_id is not null as is_own, p.amount, p.state
    from payouts p left join deposits d on d.id = p.deposit_id`.execute(database.kysely);
  const payments = Map.groupBy(rows, (row) => row.order_id);
  for (const { id, state } of orders) {
    const promised = payments.get(id) ?? [];
    const own = promised.filter((payment) => payment.is_own);
    const delivered = await chain.delivered(id);
    if (own.length > 1) found.push(`order ${id} has ${own.length} payments`);
    // A stray deposit is sent back by a payment of its own.
    const unpaid = promised.map(({ amount }) => amount);
    const strange = delivered.filter((amount) => !takeOut(unpaid, amount));
    found.push(...strange.map((amount) => `order ${id} was paid ${amount}, which nothing promised`));
    const isPaid = own.some(({ amount, state: at }) => at === "review" || delivered.includes(amount));
    if (["completed", "refunded"].includes(state) && !isPaid && strange.length === 0)
      found.push(`order ${id} is ${state} and unpaid`);
    if (delivered.length > 0 && !["paying", "completed", "refunding", "refunded"].includes(state))
      found.push(`order ${id} was paid while ${state}`);
  }
  return found;
}

function takeOut(amounts: bigint[], amount: bigint): boolean {
  const at = amounts.indexOf(amount);
  if (at !== -1) amounts.splice(at, 1);
  return at !== -1;
}

async function creditViolations(database: Database, chain: ChainView, confirmations: number): Promise<string[]> {
  const credited = await database.kysely
    .selectFrom("deposits")
    .selectAll()
    .where("credited_at", "is not", null)
    // What a reorganisation beyond the confirmations removed or changed is in review, with an alert.
    .where((is) =>
      is.or([
        is("review_reason", "is", null),
        is("review_reason", "not in", ["gone_after_credit", "changed_after_credit"]),
      ]),
    )
    .execute();
  const found: string[] = [];
  for (const deposit of credited) {
    if (!(await chain.isDeep(deposit.tx_id, confirmations, deposit.network)))
      found.push(`deposit ${deposit.tx_id} was credited without its depth`);
  }
  const { rows } = await sql<{ order_id: string }>`
    select p.order_id from payouts p where p.order_id is not null and not exists (
      select 1 from deposits d where d.order_id = p.order_id and d.credited_at is not null)`.execute(database.kysely);
  return [...found, ...rows.map((row) => `order ${row.order_id} is paid out without a credited deposit`)];
}

async function eventViolations(database: Database): Promise<string[]> {
  const events = await database.kysely
    .selectFrom("order_events")
    .selectAll()
    .orderBy("order_id")
    .orderBy("seq")
    .execute();
  const found: string[] = [];
  const last = new Map<string, { seq: number; rank: number }>();
  for (const event of events) {
    const before = last.get(event.order_id) ?? { seq: 0, rank: 0 };
    const rank = RANK[event.kind] ?? before.rank;
    if (event.seq !== before.seq + 1) found.push(`order ${event.order_id} misses event ${before.seq + 1}`);
    if (rank < before.rank) found.push(`order ${event.order_id} went back to ${event.kind}`);
    last.set(event.order_id, { seq: event.seq, rank });
  }
  return found;
}

/** Every deposit ends paid, refunded or in review with an alert. */
async function lostDeposits(database: Database): Promise<string[]> {
  const { rows } = await sql<{ tx_id: string }>`
    select d.tx_id from deposits d left join orders o on o.id = d.order_id
    where d.block_height is not null and d.credited_at is null and d.review_reason is null
      and (o.id is null or o.state in ('expired', 'paying', 'completed', 'refunding', 'refunded'))`.execute(
    database.kysely,
  );
  return rows.map((row) => `deposit ${row.tx_id} is neither credited nor held`);
}
