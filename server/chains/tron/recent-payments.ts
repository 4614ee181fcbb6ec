import { base58OfHex } from "../addresses/trx.ts";
import { NodeBehindError, type RecentPayment } from "../port.ts";
import { isSignedBy, nativeTransfer, readHead, readSolidHead } from "./blocks.ts";
import { readTransferCall } from "./contract-calls.ts";
import type { TronInstruments } from "./instruments.ts";
import type { TronRpc } from "./rpc.ts";
import {
  fullBlockSchema,
  pendingIdsSchema,
  pendingSchema,
  type TronBlock,
  type TronBlockRef,
  type TronTransaction,
} from "./schemas.ts";

/** Final blocks that are read once more: the follower may not have read the newest ones yet. */
const READ_AGAIN = 8;
/** Far more than are ever not final while the network goes on. */
const MAX_UNSOLID = 300;
/** As many as a node keeps by default. */
const MAX_POOL = 2_000;
const POOL_AT_ONCE = 8;

type Options = { instruments: TronInstruments; from: string; lifeMs: number };
type Known = Pick<TronBlock, "hash" | "parentHash" | "height"> & { payments: RecentPayment[] };

/**
 * Lists what an account has signed and no final block shows: what is in newer blocks, and in the node's pool. A database may have forgotten such
 * a payment, and nothing else would exclude a second one. What this process signs itself has rows, so it looks only until all that was signed
 * before its first look has run out by the chain's own clock. Throws `NodeBehindError` where the node doesn't show it.
 */
export function createRecentPayments(http: TronRpc, { instruments, from, lifeMs }: Options) {
  let until: number | null = null;
  let blocks = new Map<string, Known>();
  let pool = new Map<string, RecentPayment | null>();

  const paymentOf = (transaction: TronTransaction): RecentPayment | null =>
    isSignedBy(transaction, from)
      ? { txId: transaction.txID, height: null, pays: asksFor(transaction, instruments) }
      : null;

  const readPool = async (end: number): Promise<RecentPayment[]> => {
    try {
      const { txId: ids } = await http.call("wallet/gettransactionlistfrompending", {}, pendingIdsSchema);
      if (ids.length > MAX_POOL) throw new Error(`${ids.length} transactions wait there`);
      const read = new Map<string, RecentPayment | null>();
      for (let at = 0; at < ids.length; at += POOL_AT_ONCE)
        await Promise.all(
          ids.slice(at, at + POOL_AT_ONCE).map(async (id) => {
            const known = pool.get(id);
            const payment = known === undefined ? await readWaiting(id) : known;
            if (payment === undefined) return;
            // At once: what was read before a call that fails is not read again.
            pool.set(id, payment);
            read.set(id, payment);
          }),
        );
      pool = read;
      return [...read.values()].flatMap((payment) => payment ?? []);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new NodeBehindError(
        `the node's pool, which it doesn't show (${reason}); nothing is signed before a final block made after ${new Date(end).toISOString()}`,
        { cause: error },
      );
    }
  };

  /** Null for one of somebody else; undefined where it is no longer there: then it is in a block, which is read after it. */
  const readWaiting = async (value: string): Promise<RecentPayment | null | undefined> => {
    const found = await http.call("wallet/gettransactionfrompending", { value }, pendingSchema);
    return found === null ? undefined : paymentOf(found);
  };

  const readBlock = async ({ height, hash }: Pick<TronBlockRef, "height" | "hash">): Promise<Known> => {
    const block = await http.call("wallet/getblockbynum", { num: height }, fullBlockSchema);
    if (block?.hash !== hash) throw new NodeBehindError(`the newest blocks changed while block ${height} was read`);
    const payments = block.transactions.flatMap((transaction) => paymentOf(transaction) ?? []);
    return { hash, height, parentHash: block.parentHash, payments };
  };

  /** From the newest block back, each by the hash that the one above names. */
  const readBlocks = async (solid: TronBlockRef): Promise<RecentPayment[]> => {
    // After the pool: what has left it meanwhile is in a block.
    const head = await readHead(http);
    if (head.height < solid.height || head.height - solid.height > MAX_UNSOLID)
      throw new NodeBehindError(`the node's newest block is ${head.height}, and its newest final one ${solid.height}`);
    const read = new Map<string, Known>();
    const oldest = Math.max(1, solid.height - READ_AGAIN);
    for (let next: Pick<TronBlockRef, "height" | "hash"> = head; next.height >= oldest;) {
      if (next.height === solid.height && next.hash !== solid.hash)
        throw new NodeBehindError(`the node's newest block doesn't follow its final block ${solid.hash}`);
      const block: Known = blocks.get(next.hash) ?? (await readBlock(next));
      // At once: what was read before a call that fails is not read again.
      blocks.set(block.hash, block);
      read.set(block.hash, block);
      next = { height: block.height - 1, hash: block.parentHash };
    }
    blocks = read;
    return [...read.values()].flatMap(({ payments }) => payments);
  };

  return async (): Promise<RecentPayment[]> => {
    if (until === Infinity) return [];
    const solid = await readSolidHead(http);
    const end = (until ??= (await readHead(http)).timestamp + lifeMs);
    if (solid.timestamp >= end) {
      until = Infinity;
      [blocks, pool] = [new Map(), new Map()];
      return [];
    }
    const waiting = await readPool(end);
    const found = [...waiting, ...(await readBlocks(solid))];
    return [...new Map(found.map((payment) => [payment.txId, payment])).values()];
  };
}

/** What it would move if it succeeds; its final block says whether it did. */
function asksFor(transaction: TronTransaction, instruments: TronInstruments): NonNullable<RecentPayment["pays"]> {
  const native = nativeTransfer(transaction, instruments);
  const asked = readTransferCall(transaction.raw_data.contract[0]);
  const slug = asked === null ? undefined : instruments.tokens.get(asked.contract);
  return [
    ...native.map(({ toAddress: to, slug: coin, amount }) => ({ to, slug: coin, amount })),
    ...(asked === null || slug === undefined ? [] : [{ to: base58OfHex(`41${asked.to}`), slug, amount: asked.amount }]),
  ];
}
