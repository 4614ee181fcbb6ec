import { sql } from "kysely";
import { dropTransactions } from "./mempool.ts";
import { nextNonce, type NetworkRow, type ChainTransaction } from "./tables.ts";

/** Adds blocks; waiting transactions that can be mined go into the first of them. Returns how many there were. */
export async function mineBlocks(
  writes: ChainTransaction,
  network: string,
  { height, fee_percent }: Pick<NetworkRow, "height" | "fee_percent">,
  count: number,
): Promise<number> {
  const taken = await minableTransactions(writes, network, fee_percent);
  if (taken.length > 0) {
    await writes
      .updateTable("sandbox_transactions")
      .set({ block_height: height + 1 })
      .where("network", "=", network)
      .where("tx_id", "in", taken)
      .execute();
    await moveBalances(writes, network, taken, 1n);
  }
  await writes
    .updateTable("sandbox_networks")
    .set({ height: height + count })
    .where("network", "=", network)
    .execute();
  return taken.length;
}

/**
 * Replaces the newest blocks by empty ones of a new fork; their transactions wait again, or are dropped with all that
 * spend their outputs.
 */
export async function replaceBlocks(
  writes: ChainTransaction,
  network: string,
  { height }: Pick<NetworkRow, "height">,
  depth: number,
  transactions: "requeued" | "dropped",
): Promise<void> {
  const from = height - depth + 1;
  if (from <= 1) throw new RangeError(`the chain has ${height} blocks, of which ${depth} can't be replaced`);
  const undone = await writes
    .selectFrom("sandbox_transactions")
    .select("tx_id")
    .where("network", "=", network)
    .where("block_height", ">=", from)
    .execute();
  const txIds = undone.map((row) => row.tx_id);
  if (txIds.length > 0) {
    await moveBalances(writes, network, txIds, -1n);
    await writes
      .updateTable("sandbox_transactions")
      .set({ block_height: null })
      .where("network", "=", network)
      .where("tx_id", "in", txIds)
      .execute();
    if (transactions === "dropped") await dropTransactions(writes, network, txIds);
  }
  await writes.deleteFrom("sandbox_forks").where("network", "=", network).where("from_height", ">=", from).execute();
  await writes.insertInto("sandbox_forks").values({ network, from_height: from }).execute();
}

type Waiting = { tx_id: string; sender: string | null; nonce: number | null; fee_percent: number | null };

/** What a block can take now: fees that are high enough, nonces without a gap that their account can pay for, outputs that are mined. */
async function minableTransactions(writes: ChainTransaction, network: string, feePercent: number): Promise<string[]> {
  const waiting = await writes
    .selectFrom("sandbox_transactions")
    .select(["tx_id", "sender", "nonce", "fee_percent"])
    .where("network", "=", network)
    .where("block_height", "is", null)
    .orderBy("nonce")
    .orderBy("seq")
    .execute();
  if (waiting.every((one) => one.sender === null)) return waiting.map((one) => one.tx_id);
  const balanceCheck = await createBalanceCheck(writes, network, waiting);
  const taken = new Set<string>();
  const paysEnough = ({ fee_percent }: Waiting): boolean => fee_percent === null || fee_percent >= feePercent;
  for (const one of waiting) if (paysEnough(one) && balanceCheck.canMine(one, taken)) taken.add(one.tx_id);
  return [...taken];
}

async function createBalanceCheck(writes: ChainTransaction, network: string, waiting: readonly Waiting[]) {
  const txIds = waiting.map((one) => one.tx_id);
  const senders = [...new Set(waiting.flatMap((one) => one.sender ?? []))];
  const [debits, balances, parents, nonces] = await Promise.all([
    writes
      .selectFrom("sandbox_debits")
      .selectAll()
      .where("network", "=", network)
      .where("tx_id", "in", txIds)
      .execute(),
    writes
      .selectFrom("sandbox_balances")
      .selectAll()
      .where("network", "=", network)
      .where("address", "in", senders)
      .execute(),
    writes
      .selectFrom("sandbox_outputs")
      .select(["tx_id", "spent_by"])
      .where("network", "=", network)
      .where("spent_by", "in", txIds)
      .where("tx_id", "in", txIds)
      .execute(),
    Promise.all(senders.map(async (sender) => [sender, await nextNonce(writes, network, sender)] as const)),
  ]);
  const left = new Map(balances.map((row) => [`${row.address} ${row.slug}`, row.amount]));
  const next = new Map(nonces);

  const pay = (txId: string): boolean => {
    const own = debits.filter((debit) => debit.tx_id === txId);
    const key = (debit: { address: string; slug: string }) => `${debit.address} ${debit.slug}`;
    if (own.some((debit) => (left.get(key(debit)) ?? 0n) < debit.amount)) return false;
    for (const debit of own) left.set(key(debit), (left.get(key(debit)) ?? 0n) - debit.amount);
    return true;
  };
  const canMine = ({ tx_id, sender, nonce }: Waiting, taken: ReadonlySet<string>): boolean => {
    if (sender === null) return true;
    if (nonce === null) return parents.every((row) => row.spent_by !== tx_id || taken.has(row.tx_id));
    if (next.get(sender) !== nonce || !pay(tx_id)) return false;
    next.set(sender, nonce + 1);
    return true;
  };
  return { canMine };
}

async function moveBalances(writes: ChainTransaction, network: string, txIds: string[], sign: 1n | -1n): Promise<void> {
  const moved = sql`
    select address, slug, sum(amount) * ${sign}::numeric as amount from (
      select address, slug, amount from sandbox_outputs where network = ${network} and tx_id = any(${txIds})
      union all
      select address, slug, -amount from sandbox_debits where network = ${network} and tx_id = any(${txIds})
    ) as movements group by address, slug`;
  await sql`
    insert into sandbox_balances (network, address, slug, amount)
    select ${network}, address, slug, 0 from (${moved}) as moved on conflict do nothing`.execute(writes);
  await sql`
    update sandbox_balances set amount = sandbox_balances.amount + moved.amount from (${moved}) as moved
    where network = ${network} and sandbox_balances.address = moved.address and sandbox_balances.slug = moved.slug`.execute(
    writes,
  );
}
