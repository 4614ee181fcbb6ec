import { createHash } from "node:crypto";
import type {
  BlockRef,
  BroadcastResult,
  Handle,
  Lookup,
  NetworkReader,
  NetworkWallet,
  ObservedBlock,
  ObservedTransfer,
  ParsedAddress,
  Payment,
  PreparedPayment,
} from "../../server/chains/port.ts";

type Transaction = { txId: string; from: string; nonce: number; transfers: Omit<ObservedTransfer, "txId">[] };
type Block = BlockRef & { transactions: Transaction[] };

const HOT = "hot";
const FEE = 21n;

/**
 * A small account chain in memory for tests of what stands above the networks port: nonces, a mempool, blocks that are mined on
 * demand, reorganisations, and faulty nodes. It simulates ETH with the given instruments.
 */
export class FakeChain implements NetworkReader, NetworkWallet {
  readonly networkTitle = "ETH";
  readonly feeSlug = "eth";
  readonly balances = new Map<string, bigint>();
  readonly pending: Transaction[] = [];
  blocks: Block[] = [{ height: 0, hash: "genesis", parentHash: "none", transactions: [] }];
  /** Faults of the next broadcasts. */
  broadcastFaults: ("lost-reply" | "lost-request")[] = [];
  isDown = false;
  /** How the mempool is read: not at all, never to an end, or without what waits there. */
  mempoolFault: "fails" | "hangs" | "shows nothing" | null = null;
  /** Mined payments of ours that the node doesn't count when it is asked for the next nonce. */
  forgottenNonces = 0;
  /** While true, the node says that no block can take what it is given. */
  refuses = false;
  /** Payments whose preparation fails, by their destination. */
  readonly failing = new Map<string, Error>();
  #salt = 0;
  #deposits = 0;

  get tip(): Block {
    return this.blocks[this.blocks.length - 1] ?? this.#missing();
  }

  mine(count = 1): void {
    for (let mined = 0; mined < count; mined += 1) {
      const height = this.tip.height + 1;
      const transactions = this.pending.splice(0).sort((one, other) => one.nonce - other.nonce);
      this.blocks.push({ height, hash: this.#hash(`block ${height}`), parentHash: this.tip.hash, transactions });
    }
  }

  /** Replaces the last blocks by empty ones; what they held is gone, unless `keep` puts it back into the mempool. */
  reorg(depth: number, keep = false): void {
    const removed = this.blocks.splice(this.blocks.length - depth);
    this.mine(0);
    const transactions = removed.flatMap((block) => block.transactions);
    for (let mined = 0; mined < depth; mined += 1) {
      const height = this.tip.height + 1;
      this.blocks.push({ height, hash: this.#hash(`fork ${height}`), parentHash: this.tip.hash, transactions: [] });
    }
    if (keep) this.pending.push(...transactions);
  }

  /** A payment to an address, in the next block. */
  deposit(toAddress: string, slug: string, amount: bigint): string {
    this.#deposits += 1;
    const txId = this.#hash(`deposit ${this.#deposits}`);
    this.pending.push({ txId, from: "outside", nonce: 0, transfers: [{ outputIndex: -1, toAddress, slug, amount }] });
    return txId;
  }

  /** What the canonical chain has paid to an address. */
  received(toAddress: string, slug: string): bigint[] {
    return this.blocks
      .flatMap((block) => block.transactions.flatMap((transaction) => transaction.transfers))
      .filter((transfer) => transfer.toAddress === toAddress && transfer.slug === slug)
      .map((transfer) => transfer.amount);
  }

  parseAddress(text: string): ParsedAddress {
    return /^[a-z][a-z0-9-]*$/i.test(text)
      ? { valid: true, canonical: text.toLowerCase() }
      : { valid: false, code: null };
  }

  depositAddress(index: bigint): { address: string; memo: null } {
    return { address: `deposit-${index}`, memo: null };
  }

  depositUri(address: string, _memo: string | null, slug: string, amount: bigint): string {
    return `fake:${address}?${slug}=${amount}`;
  }

  async head(): Promise<BlockRef> {
    this.#answer();
    return this.tip;
  }

  async blockAt(height: number): Promise<ObservedBlock | null> {
    this.#answer();
    const block = this.blocks[height];
    if (block === undefined) return null;
    const transfers = block.transactions.flatMap(({ txId, transfers: moved }) =>
      moved.map((transfer) => ({ txId, ...transfer })),
    );
    const sent = block.transactions.flatMap(({ txId, from }) => (from === HOT ? [txId] : []));
    return { height: block.height, hash: block.hash, parentHash: block.parentHash, transfers, sent };
  }

  async mempool(): Promise<ObservedTransfer[]> {
    this.#answer();
    if (this.mempoolFault === "fails") throw new Error("the mempool can't be read");
    if (this.mempoolFault === "hangs") return new Promise<never>(() => undefined);
    if (this.mempoolFault === "shows nothing") return [];
    return this.pending.flatMap(({ txId, transfers }) => transfers.map((transfer) => ({ txId, ...transfer })));
  }

  /** Drops a transaction that no block has taken. */
  evict(txId: string): void {
    const at = this.pending.findIndex((transaction) => transaction.txId === txId);
    if (at >= 0) this.pending.splice(at, 1);
  }

  async estimateFee(): Promise<bigint> {
    this.#answer();
    return FEE;
  }

  hotAddress(): string {
    return HOT;
  }

  async hotBalance(slug: string): Promise<bigint> {
    this.#answer();
    return this.balances.get(slug) ?? 10n ** 30n;
  }

  async chooseHandle(payment: Payment, reserved: readonly Handle[]): Promise<Handle> {
    this.#answer();
    const failure = this.failing.get(payment.toAddress);
    if (failure !== undefined) throw failure;
    const taken = reserved.map((handle) => Number(handle.data["nonce"]) + 1);
    const nonce = Math.max(this.#minedNonce() - this.forgottenNonces, ...taken);
    return { keys: [`${HOT}:${nonce}`], data: { nonce } };
  }

  maxCost(_handle: Handle): bigint {
    return FEE;
  }

  async prepare(payment: Payment, handle: Handle): Promise<PreparedPayment> {
    this.#answer();
    return sign(handle, [
      { outputIndex: -1, toAddress: payment.toAddress, slug: payment.slug, amount: payment.amount },
    ]);
  }

  async prepareCancellation(handle: Handle): Promise<PreparedPayment> {
    this.#answer();
    return sign(handle, []);
  }

  async broadcast({ raw, txId }: PreparedPayment): Promise<BroadcastResult> {
    const fault = this.isDown ? "lost-request" : this.broadcastFaults.shift();
    if (this.refuses && !isEmpty(raw)) return { kind: "refused", reason: "exceeds block gas limit" };
    if (fault === "lost-request") return { kind: "unknown", reason: "the request was lost" };
    this.#accept(raw, txId);
    return fault === "lost-reply" ? { kind: "unknown", reason: "timeout" } : { kind: "accepted" };
  }

  async lookup(txId: string): Promise<Lookup> {
    this.#answer();
    const block = this.blocks.find((found) => found.transactions.some((transaction) => transaction.txId === txId));
    if (block !== undefined)
      return { kind: "mined", height: block.height, hash: block.hash, succeeded: true, feePaid: FEE };
    return { kind: this.pending.some((transaction) => transaction.txId === txId) ? "pending" : "absent" };
  }

  #accept(raw: string, txId: string): void {
    const known = [...this.pending, ...this.blocks.flatMap((block) => block.transactions)];
    if (known.some((transaction) => transaction.txId === txId)) return;
    const read: {
      from: string;
      nonce: number;
      transfers: { outputIndex: number; toAddress: string; slug: string; amount: string }[];
    } = JSON.parse(raw);
    if (known.some((transaction) => transaction.from === read.from && transaction.nonce === read.nonce)) return;
    const transfers = read.transfers.map((transfer) => ({ ...transfer, amount: BigInt(transfer.amount) }));
    this.pending.push({ txId, from: read.from, nonce: read.nonce, transfers });
  }

  #minedNonce(): number {
    return this.blocks.flatMap((block) => block.transactions).filter((transaction) => transaction.from === HOT).length;
  }

  #answer(): void {
    if (this.isDown) throw new Error("the node does not answer");
  }

  #hash(text: string): string {
    this.#salt += 1;
    return createHash("sha256").update(`${text} ${this.#salt}`).digest("hex");
  }

  #missing(): never {
    throw new Error("the chain has no block");
  }
}

/** Whether signed bytes pay nobody, and only use their nonce. */
export const isEmpty = (raw: string): boolean => raw.includes('"transfers":[]');

function sign(handle: Handle, transfers: Omit<ObservedTransfer, "txId">[]): PreparedPayment {
  const unsigned = { from: HOT, nonce: Number(handle.data["nonce"]), transfers };
  const text = JSON.stringify(unsigned, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
  return { raw: text, txId: createHash("sha256").update(text).digest("hex") };
}
