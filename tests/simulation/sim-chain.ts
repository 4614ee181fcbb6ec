import type { BlockRef, BroadcastResult, Lookup, ObservedBlock, ObservedTransfer } from "../../server/chains/port.ts";

export type SimTransaction = {
  txId: string;
  from: string;
  nonce: number;
  fee: bigint;
  transfers: Omit<ObservedTransfer, "txId">[];
};
export type SimBlock = BlockRef & { transactions: SimTransaction[] };

export const HOT = "hot";
export const PAYMENT_FEE = 21n;

/**
 * The truth about one simulated network: its canonical blocks, its mempool, and the branch that was abandoned last. It is an account
 * chain: a payment of ours is mined when its nonce is next. Faulty nodes serve it (`SimNode`).
 */
export class SimChain {
  readonly title: string;
  readonly mempool = new Map<string, SimTransaction>();
  blocks: SimBlock[] = [];
  /** The branch before the last fork, which a node that has not seen the fork still serves. */
  abandoned: SimBlock[] | null = null;
  /** What a payment of ours must pay for a block to take it; nodes accept one that pays less all the same. */
  marketFee = PAYMENT_FEE;
  /** What others have replaced in the mempool, by its id: miners may still have it. */
  readonly replaced = new Map<string, SimTransaction>();
  readonly #heights = new Map<string, number>();
  #nonce = 0;
  #made = 0;

  constructor(title: string) {
    this.title = title;
    for (let height = 0; height < 8; height += 1) this.mine();
  }

  get tip(): SimBlock {
    const tip = this.blocks.at(-1);
    if (tip === undefined) throw new Error(`${this.title} has no block`);
    return tip;
  }

  get nextNonce(): number {
    return this.#nonce;
  }

  /** The nonce after all that wait. */
  get freeNonce(): number {
    const ours = [...this.mempool.values()].filter((one) => one.from === HOT).map((one) => one.nonce + 1);
    return Math.max(this.#nonce, ...ours);
  }

  mine(): void {
    const ours = [...this.mempool.values()].filter((one) => one.from === HOT).sort((one, two) => one.nonce - two.nonce);
    const mined = [...this.mempool.values()].filter((one) => one.from !== HOT);
    for (const one of ours) {
      if (one.nonce !== this.#nonce || one.fee < this.marketFee) break;
      this.#nonce += 1;
      mined.push(one);
    }
    const height = this.blocks.length;
    for (const one of mined) {
      this.mempool.delete(one.txId);
      this.#heights.set(one.txId, height);
    }
    const parentHash = this.blocks.at(-1)?.hash ?? "none";
    this.blocks.push({ height, hash: this.#name("block"), parentHash, transactions: mined });
  }

  /** Replaces the last blocks by empty ones; gives what they held, which waits in the mempool for the next block unless it is dropped. */
  fork(depth: number, isDropped: (transaction: SimTransaction) => boolean): SimTransaction[] {
    this.abandoned = [...this.blocks];
    const undone = this.blocks.splice(this.blocks.length - depth).flatMap((block) => block.transactions);
    for (const one of undone) {
      this.#heights.delete(one.txId);
      if (one.from === HOT) this.#nonce -= 1;
    }
    // Mined while nothing waits, so that the new branch is empty.
    const waiting = [...this.mempool.values()];
    this.mempool.clear();
    for (let mined = 0; mined < depth; mined += 1) this.mine();
    for (const one of [...undone.filter((one) => !isDropped(one)), ...waiting]) this.mempool.set(one.txId, one);
    return undone;
  }

  /** A payment from outside, perhaps to several addresses in one transaction. */
  pay(
    transfers: { to: string; memo: string | null; slug: string; amount: bigint }[],
    hasMemos: boolean,
  ): SimTransaction {
    const txId = this.#name("deposit");
    const outputs = transfers.map(({ to, memo, slug, amount }, outputIndex) => ({
      outputIndex,
      toAddress: to,
      slug,
      amount,
      ...(hasMemos && { memo }),
    }));
    const transaction = { txId, from: "outside", nonce: 0, fee: 0n, transfers: outputs };
    this.mempool.set(txId, transaction);
    return transaction;
  }

  /** The payments of ours that wait because they pay too little. */
  get stuck(): SimTransaction[] {
    return [...this.mempool.values()].filter(({ from, fee }) => from === HOT && fee < this.marketFee);
  }

  /** Gives miners a replaced payment in the place of what has replaced it; false while that doesn't wait. */
  takeReplaced(old: SimTransaction): boolean {
    const rival = [...this.mempool.values()].find(({ from, nonce }) => from === HOT && nonce === old.nonce);
    if (rival === undefined || old.nonce < this.#nonce) return false;
    this.mempool.delete(rival.txId);
    this.replaced.delete(old.txId);
    this.replaced.set(rival.txId, rival);
    // By its own miner, whatever others ask for.
    this.mempool.set(old.txId, { ...old, fee: rival.fee > this.marketFee ? rival.fee : this.marketFee });
    return true;
  }

  /** Takes a payment of ours, if no other one has its nonce, or it pays a tenth more than that one. */
  submit(transaction: SimTransaction): BroadcastResult & { known: boolean } {
    const isKnown = this.mempool.has(transaction.txId) || this.#heights.has(transaction.txId);
    if (isKnown) return { kind: "accepted", known: true };
    const rival = [...this.mempool.values()].find((one) => one.from === HOT && one.nonce === transaction.nonce);
    const isWorse = rival !== undefined && transaction.fee * 10n < rival.fee * 11n;
    if (isWorse || transaction.nonce < this.#nonce)
      return { kind: "unknown", reason: "the nonce is taken", known: false };
    if (rival !== undefined) {
      this.mempool.delete(rival.txId);
      this.replaced.set(rival.txId, rival);
    }
    this.mempool.set(transaction.txId, transaction);
    return { kind: "accepted", known: false };
  }

  /** Sends a payment once more under another id and nonce, as a wallet that builds it again; for the planted bug. */
  sendAnew(transaction: SimTransaction): void {
    const txId = this.#name("rebuilt");
    this.mempool.set(txId, { ...transaction, txId, nonce: this.freeNonce });
  }

  lookup(txId: string): Lookup {
    const height = this.#heights.get(txId);
    if (height === undefined) return { kind: this.mempool.has(txId) ? "pending" : "absent" };
    const hash = this.blocks[height]?.hash ?? "none";
    const mined = this.blocks[height]?.transactions.find((one) => one.txId === txId);
    return { kind: "mined", height, hash, succeeded: true, feePaid: mined?.fee ?? PAYMENT_FEE };
  }

  /** Confirmations on the canonical chain; 0 while no block has it. */
  depthOf(txId: string): number {
    const height = this.#heights.get(txId);
    return height === undefined ? 0 : this.tip.height - height + 1;
  }

  /** Everything that the canonical blocks moved. */
  transfers(): { from: string; to: string; slug: string; amount: bigint; fee: bigint }[] {
    return this.blocks.flatMap((block) =>
      block.transactions.flatMap(({ from, fee, transfers }) =>
        transfers.map(({ toAddress: to, slug, amount }) => ({ from, to, slug, amount, fee })),
      ),
    );
  }

  static observed({ height, hash, parentHash, transactions }: SimBlock): ObservedBlock {
    const transfers = transactions.flatMap(({ txId, transfers }) => transfers.map((one) => ({ txId, ...one })));
    return { height, hash, parentHash, transfers };
  }

  #name(kind: string): string {
    this.#made += 1;
    return `${this.title}-${kind}-${this.#made}`;
  }
}
