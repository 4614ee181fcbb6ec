import { sql } from "kysely";
import { usualFee, type Profile } from "./profiles.ts";
import { nextNonce, type ChainTransaction } from "./tables.ts";
import type { TransactionBody } from "./transaction.ts";

/** Why the chain rejects a transaction. */
export class RejectedError extends Error {
  override name = "RejectedError";
}

type Output = { address: string; memo: string | null; slug: string; amount: bigint };
type Admitted = {
  txId: string;
  sender: string | null;
  nonce: number | null;
  fee: bigint;
  outputs: readonly Output[];
  debits: readonly { address: string; slug: string; amount: bigint }[];
  feePercent?: number;
};

/** Accepts a signed payment into the mempool; a known one is accepted again. Throws `RejectedError`. */
export async function accept(
  writes: ChainTransaction,
  txId: string,
  body: TransactionBody,
  profile: Profile,
): Promise<void> {
  const { network, sender, spends, outputs, fee } = body;
  const { coin } = profile;
  const feePercent = Math.max(...outputs.map(({ slug }) => Number((fee * 100n) / usualFee(profile, slug))));
  const known = await writes
    .selectFrom("sandbox_transactions")
    .select("tx_id")
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .executeTakeFirst();
  if (known !== undefined) return;
  await dropReplaced(writes, body);
  if ("inputs" in spends) {
    const total = await unspentSum(writes, body, spends.inputs, coin);
    const admitted = {
      txId,
      sender,
      nonce: null,
      fee,
      outputs,
      feePercent,
      debits: [{ address: sender, slug: coin, amount: total }],
    };
    await admit(writes, network, admitted);
    await spend(writes, network, spends.inputs, txId);
    return;
  }
  const debits = sumsOf([...outputs, { slug: coin, amount: fee }]).map((sum) => ({ address: sender, ...sum }));
  await requireFreshNonce(writes, network, sender, spends.nonce);
  for (const debit of debits) await requireBalance(writes, network, debit);
  await requireAccounts(writes, network, outputs, profile);
  await admit(writes, network, { txId, sender, nonce: spends.nonce, fee, feePercent, outputs, debits });
}

/** Adds a transaction to the mempool without checks: payments from outside come from no account of this chain. */
export async function admit(writes: ChainTransaction, network: string, admitted: Admitted): Promise<void> {
  const { txId, sender, nonce, fee, feePercent: fee_percent = null, outputs, debits } = admitted;
  await writes
    .insertInto("sandbox_transactions")
    .values({ network, tx_id: txId, sender, nonce, fee, fee_percent })
    .execute();
  const rows = outputs.map((output, at) => ({ network, tx_id: txId, output_index: at, ...output }));
  await writes.insertInto("sandbox_outputs").values(rows).execute();
  if (debits.length === 0) return;
  await writes
    .insertInto("sandbox_debits")
    .values(debits.map((debit) => ({ network, tx_id: txId, ...debit })))
    .execute();
}

/** Drops the waiting transactions that this one replaces: the same nonce or inputs, and at least a tenth more than all of them pay. */
async function dropReplaced(writes: ChainTransaction, body: TransactionBody): Promise<void> {
  const { network, sender, spends, fee } = body;
  const conflict =
    "nonce" in spends
      ? sql<boolean>`sender = ${sender} and nonce = ${spends.nonce}`
      : sql<boolean>`tx_id in (select o.spent_by from sandbox_outputs o
          join unnest(${spends.inputs.map(({ txId }) => txId)}::text[], ${spends.inputs.map(({ outputIndex }) => outputIndex)}::int[])
            as spent (tx_id, output_index) using (tx_id, output_index) where o.network = ${network})`;
  const rivals = await writes
    .selectFrom("sandbox_transactions")
    .select(["tx_id", "fee", "block_height"])
    .where("network", "=", network)
    .where(conflict)
    .execute();
  const paid = rivals.reduce((sum, rival) => sum + rival.fee, 0n);
  if (rivals.some(({ block_height }) => block_height !== null) || fee * 10n < paid * 11n) return;
  if (rivals.length === 0) return;
  await dropTransactions(
    writes,
    network,
    rivals.map(({ tx_id }) => tx_id),
  );
}

/** Drops unmined transactions, frees what they spent, and drops those that spend their outputs. */
export async function dropTransactions(writes: ChainTransaction, network: string, txIds: string[]): Promise<void> {
  let dropped = txIds;
  while (dropped.length > 0) {
    await writes
      .updateTable("sandbox_outputs")
      .set({ spent_by: null })
      .where("network", "=", network)
      .where("spent_by", "in", dropped)
      .execute();
    await writes
      .deleteFrom("sandbox_transactions")
      .where("network", "=", network)
      .where("tx_id", "in", dropped)
      .where("block_height", "is", null)
      .execute();
    const { rows } = await sql<{ tx_id: string }>`
      select t.tx_id from sandbox_transactions t
      where t.network = ${network} and t.block_height is null and t.sender is not null and t.nonce is null
        and (select sum(d.amount) from sandbox_debits d where d.network = t.network and d.tx_id = t.tx_id)
          > coalesce((select sum(o.amount) from sandbox_outputs o where o.network = t.network and o.spent_by = t.tx_id), 0)`.execute(
      writes,
    );
    dropped = rows.map((row) => row.tx_id);
  }
}

type Outpoint = { txId: string; outputIndex: number };

async function unspentSum(
  writes: ChainTransaction,
  { network, sender, outputs, fee }: TransactionBody,
  inputs: readonly Outpoint[],
  coin: string,
): Promise<bigint> {
  let total = 0n;
  for (const { txId, outputIndex } of inputs) {
    const found = await writes
      .selectFrom("sandbox_outputs")
      .select(["address", "slug", "amount", "spent_by"])
      .where("network", "=", network)
      .where("tx_id", "=", txId)
      .where("output_index", "=", outputIndex)
      .executeTakeFirst();
    if (found?.address !== sender || found.slug !== coin)
      throw new RejectedError(`there is no input ${txId}:${outputIndex}`);
    if (found.spent_by !== null) throw new RejectedError(`the input ${txId}:${outputIndex} is spent`);
    total += found.amount;
  }
  const wanted = outputs.reduce((sum, output) => sum + output.amount, fee);
  if (total !== wanted || new Set(inputs.map((input) => JSON.stringify(input))).size !== inputs.length)
    throw new RejectedError(`the inputs hold ${total}, the outputs and the fee ${wanted}`);
  return total;
}

async function spend(
  writes: ChainTransaction,
  network: string,
  inputs: readonly Outpoint[],
  txId: string,
): Promise<void> {
  for (const input of inputs)
    await writes
      .updateTable("sandbox_outputs")
      .set({ spent_by: txId })
      .where("network", "=", network)
      .where("tx_id", "=", input.txId)
      .where("output_index", "=", input.outputIndex)
      .execute();
}

async function requireFreshNonce(
  writes: ChainTransaction,
  network: string,
  sender: string,
  nonce: number,
): Promise<void> {
  if (nonce < (await nextNonce(writes, network, sender))) throw new RejectedError(`the nonce ${nonce} is used`);
  const conflict = await writes
    .selectFrom("sandbox_transactions")
    .select("tx_id")
    .where("network", "=", network)
    .where("sender", "=", sender)
    .where("nonce", "=", nonce)
    .executeTakeFirst();
  if (conflict !== undefined) throw new RejectedError(`another transaction has the nonce ${nonce}`);
}

/** A payment that opens an account brings the reserve at least. */
async function requireAccounts(
  writes: ChainTransaction,
  network: string,
  outputs: readonly Output[],
  { coin, reserve = 0n }: Profile,
): Promise<void> {
  for (const { address, slug, amount } of outputs)
    if ((slug !== coin || amount < reserve) && reserve > 0n && !(await isOpened(writes, network, address)))
      throw new RejectedError(`${address} does not exist, and ${reserve} of ${coin} open it`);
}

/** Whether a block has ever paid to an address. */
export async function isOpened(
  db: Pick<ChainTransaction, "selectFrom">,
  network: string,
  address: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("sandbox_balances")
    .select("slug")
    .where("network", "=", network)
    .where("address", "=", address)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function requireBalance(
  writes: ChainTransaction,
  network: string,
  { address, slug, amount }: { address: string; slug: string; amount: bigint },
): Promise<void> {
  const { rows } = await sql<{ left: bigint }>`
    select coalesce((select amount from sandbox_balances where network = ${network} and address = ${address} and slug = ${slug}), 0)
      - coalesce((select sum(d.amount) from sandbox_debits d join sandbox_transactions t using (network, tx_id)
          where t.network = ${network} and t.block_height is null and d.address = ${address} and d.slug = ${slug}), 0) as left`.execute(
    writes,
  );
  if ((rows[0]?.left ?? 0n) < amount) throw new RejectedError(`${address} does not have ${amount} of ${slug}`);
}

function sumsOf(parts: readonly { slug: string; amount: bigint }[]): { slug: string; amount: bigint }[] {
  const sums = new Map<string, bigint>();
  for (const { slug, amount } of parts) sums.set(slug, (sums.get(slug) ?? 0n) + amount);
  return [...sums].flatMap(([slug, amount]) => (amount > 0n ? [{ slug, amount }] : []));
}
