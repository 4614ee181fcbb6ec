import { createHash } from "node:crypto";
import { maxOf } from "#contract/money.ts";
import {
  PaymentRefusedError,
  type BlockRef,
  type BroadcastResult,
  type Handle,
  type Lookup,
  type NetworkReader,
  type NetworkWallet,
  type ObservedBlock,
  type ObservedTransfer,
  type ParsedAddress,
  type Payment,
  type PreparedPayment,
  type PreparedReplacement,
} from "../../../server/chains/port.ts";

type Transaction = {
  txId: string;
  from: string;
  nonce: number;
  /** Absent in what comes from outside, which every block takes. */
  fee?: bigint;
  transfers: Omit<ObservedTransfer, "txId">[];
};
type Block = BlockRef & { transactions: Transaction[] };

const HOT = "hot";
const FEE = 21n;

/**
 * A small account chain in memory for tests of what stands above the networks port: nonces, a mempool, blocks that are mined on
 * demand, reorganisations, and faulty nodes. It simulates ETH unless another network is named.
 */
export class FakeChain implements NetworkReader, NetworkWallet {
  readonly networkTitle: string;
  readonly feeSlug: string;
  showsMinedOnly = false;
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
  /** Payments of ours that the node makes up when it is asked for the next nonce. */
  inventedNonces = 0;
  /** While true, it does so too when it is asked for those of a block. */
  inventsInBlocks = false;
  /** While true, the node says that no block can take what it is given. */
  refuses = false;
  /** What a payment must pay for a block to take it; nodes accept one that pays less all the same. */
  marketFee = FEE;
  /** What a replacement may pay at most. */
  feeCap = 1_000n * FEE;
  /** What another payment on its nonce has replaced in the mempool: miners may still have it. */
  readonly replaced: Transaction[] = [];
  /** While true, blocks don't show whose coins arrive in the hot wallet, nor that a payment is the gas of a sweep. */
  hidesMoves = false;
  /** After a restore: so many payments to ourselves use up nonces. */
  consolidations = 0;
  /** While set, none can be chosen. */
  consolidationFault: Error | null = null;
  /** Payments whose preparation fails, by their destination. */
  readonly failing = new Map<string, Error>();
  #salt = 0;
  #deposits = 0;

  constructor(networkTitle = "ETH", feeSlug = "eth") {
    this.networkTitle = networkTitle;
    this.feeSlug = feeSlug;
  }

  get tip(): Block {
    return this.blocks[this.blocks.length - 1] ?? this.#missing();
  }

  /** Begins with the blocks and the mempool that another chain has now, which goes on by itself. */
  continueFrom(other: FakeChain): this {
    this.blocks = [...other.blocks];
    this.pending.splice(0, Infinity, ...other.pending);
    this.replaced.splice(0, Infinity, ...other.replaced);
    this.marketFee = other.marketFee;
    this.consolidations = other.consolidations;
    this.hidesMoves = other.hidesMoves;
    this.#salt = other.#salt;
    this.#deposits = other.#deposits;
    return this;
  }

  mine(count = 1): void {
    for (let mined = 0; mined < count; mined += 1) {
      const height = this.tip.height + 1;
      const transactions = this.#takeMinable();
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

  /** A payment that somebody else signs with the key of one of our accounts, in the place of what waits on its next nonce. */
  spendOutside(transfers: Transaction["transfers"] = [], from = HOT): string {
    const nonce = this.#minedNonce(from);
    for (const { txId } of this.pending.filter((one) => one.from === from && one.nonce === nonce)) this.evict(txId);
    const txId = this.#hash(`outside ${from} ${nonce}`);
    this.pending.push({ txId, from, nonce, transfers });
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
    const own = block.transactions.filter(({ from }) => from === HOT);
    const plain = own.filter(({ transfers: [one, ...more] }) => one?.toAddress === HOT && more.length === 0);
    const [sent, toOurselves] = [own, plain].map((some) => some.map(({ txId }) => txId));
    const moved = block.transactions
      .filter(({ from }) => from !== HOT && from !== "outside")
      .flatMap(({ txId, from, transfers: all }) =>
        all.flatMap(({ toAddress, slug, amount }) =>
          toAddress === HOT ? [{ txId, fromAddress: from, slug, amount }] : [],
        ),
      );
    const { height: at, hash, parentHash } = block;
    const shown = { ...(sent && { sent }), ...(toOurselves && { toOurselves }), ...(!this.hidesMoves && { moved }) };
    return { height: at, hash, parentHash, transfers, ...shown };
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
    const nonce = Math.max(this.#minedNonce() - this.forgottenNonces + this.inventedNonces, ...taken);
    return { keys: [`${HOT}:${nonce}`], data: { nonce, ...(this.marketFee > FEE && { fee: `${this.marketFee}` }) } };
  }

  /** Absent where nobody can keep what was signed. */
  get chooseConsolidation(): NonNullable<NetworkWallet["chooseConsolidation"]> | undefined {
    return this.consolidations === 0 ? undefined : this.#chooseConsolidation.bind(this);
  }

  async #chooseConsolidation(reserved: readonly Handle[], _before: number | null, made: number) {
    if (this.consolidationFault !== null) throw this.consolidationFault;
    if (made >= this.consolidations) return null;
    const payment = { slug: this.feeSlug, toAddress: HOT, toMemo: null, amount: 1n };
    return { handle: await this.chooseHandle(payment, reserved), amount: payment.amount };
  }

  maxCost(handle: Handle): bigint {
    return feeOf(handle);
  }

  async prepare(payment: Payment, handle: Handle): Promise<PreparedPayment> {
    this.#answer();
    return sign(handle, transfersOf(payment), feeOf(handle));
  }

  async prepareCancellation(handle: Handle, stuck: readonly PreparedPayment[]): Promise<PreparedPayment | null> {
    this.#answer();
    return sign(handle, [], maxOf(this.marketFee, bumped(stuck)));
  }

  async prepareReplacement(
    payment: Payment,
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<PreparedReplacement | null> {
    this.#answer();
    const isNext = Number(handle.data["nonce"]) === this.#minedNonce();
    if (!isNext || stuck.some(({ raw }) => read(raw).fee >= this.marketFee)) return null;
    const fee = maxOf(this.marketFee, bumped(stuck));
    if (fee > this.feeCap) throw new PaymentRefusedError("fee_over_cap", `it takes ${fee}, over ${this.feeCap}`);
    return { ...sign(handle, transfersOf(payment), fee), maxCost: fee };
  }

  async broadcast({ raw, txId }: PreparedPayment): Promise<BroadcastResult> {
    const fault = this.isDown ? "lost-request" : this.broadcastFaults.shift();
    if (this.refuses && !isEmpty(raw)) return { kind: "refused", reason: "exceeds block gas limit" };
    if (fault === "lost-request") return { kind: "unknown", reason: "the request was lost" };
    if (!this.#accept(raw, txId)) return { kind: "unknown", reason: "nonce too low" };
    return fault === "lost-reply" ? { kind: "unknown", reason: "timeout" } : { kind: "accepted" };
  }

  async lookup(txId: string): Promise<Lookup> {
    this.#answer();
    const block = this.blocks.find((found) => found.transactions.some((transaction) => transaction.txId === txId));
    if (block !== undefined) {
      const fee = block.transactions.find((transaction) => transaction.txId === txId)?.fee ?? FEE;
      return { kind: "mined", height: block.height, hash: block.hash, succeeded: true, feePaid: fee };
    }
    return { kind: this.pending.some((transaction) => transaction.txId === txId) ? "pending" : "absent" };
  }

  async usesHandle(txId: string, { keys }: Handle): Promise<boolean> {
    this.#answer();
    const found = this.#mined().find((transaction) => transaction.txId === txId);
    return found !== undefined && keys.includes(`${found.from}:${found.nonce}`);
  }

  async deadAt({ raw, txId }: PreparedPayment, height: number): Promise<string | null> {
    this.#answer();
    if (raw === "" || this.#mined().some((transaction) => transaction.txId === txId)) return null;
    const { from, nonce } = read(raw);
    return this.#minedNonce(from, height) > nonce ? (this.blocks[height]?.hash ?? null) : null;
  }

  async noncesUsed(address: string, height: number): Promise<{ used: number; hash: string } | null> {
    this.#answer();
    const hash = this.blocks[height]?.hash;
    return hash === undefined
      ? null
      : { used: this.#minedNonce(address, height) + (this.inventsInBlocks ? this.inventedNonces : 0), hash };
  }

  /** False where another payment on its nonce is mined. */
  #accept(raw: string, txId: string): boolean {
    if ([...this.pending, ...this.#mined()].some((transaction) => transaction.txId === txId)) return true;
    const transaction = { txId, ...read(raw) };
    const { from, nonce, fee } = transaction;
    if (this.#mined().some((one) => one.from === from && one.nonce === nonce)) return false;
    const rival = this.pending.findIndex((one) => one.from === from && one.nonce === nonce);
    if (rival >= 0) {
      if (fee * 10n < (this.pending[rival]?.fee ?? 0n) * 11n) return true;
      this.replaced.push(...this.pending.splice(rival, 1));
    }
    this.pending.push(transaction);
    return true;
  }

  /** Gives miners back what was replaced, in the place of what has replaced it. */
  takeReplaced(txId: string): void {
    const at = this.replaced.findIndex((transaction) => transaction.txId === txId);
    const [old] = at < 0 ? [] : this.replaced.splice(at, 1);
    if (old === undefined) throw new Error(`${txId} was not replaced`);
    const rival = this.pending.findIndex(({ from, nonce }) => from === old.from && nonce === old.nonce);
    this.pending.splice(rival < 0 ? this.pending.length : rival, rival < 0 ? 0 : 1, { ...old, fee: this.marketFee });
  }

  /** What pays enough; what is behind a payment of its sender that pays too little, or behind a nonce that nothing has, waits. */
  #takeMinable(): Transaction[] {
    const waiting = this.pending.splice(0).sort((one, other) => one.nonce - other.nonce);
    const stuck = new Set<string>();
    const next = new Map<string, number>();
    const isTaken = ({ from, nonce, fee = this.marketFee }: Transaction): boolean => {
      const expected = next.get(from) ?? this.#minedNonce(from);
      if (fee < this.marketFee || (from !== "outside" && nonce !== expected)) stuck.add(from);
      if (!stuck.has(from)) next.set(from, expected + 1);
      return !stuck.has(from);
    };
    const taken = waiting.filter(isTaken);
    this.pending.push(...waiting.filter((transaction) => !taken.includes(transaction)));
    return taken;
  }

  #mined(height = this.tip.height): Transaction[] {
    return this.blocks.slice(0, height + 1).flatMap((block) => block.transactions);
  }

  #minedNonce(from = HOT, height = this.tip.height): number {
    return this.#mined(height).filter((transaction) => transaction.from === from).length;
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

type Signed = Required<Omit<Transaction, "txId">>;

function read(raw: string): Signed {
  type Text = {
    from: string;
    nonce: number;
    fee?: string;
    transfers: Record<"toAddress" | "slug" | "amount", string>[];
  };
  const { fee = `${FEE}`, transfers, ...rest }: Text = JSON.parse(raw);
  const moved = transfers.map(({ amount, ...to }) => ({ outputIndex: -1, ...to, amount: BigInt(amount) }));
  return { ...rest, fee: BigInt(fee), transfers: moved };
}

function sign(handle: Handle, transfers: Signed["transfers"], fee: bigint): PreparedPayment {
  const unsigned = { from: HOT, nonce: Number(handle.data["nonce"]), fee, transfers };
  const text = JSON.stringify(unsigned, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
  return { raw: text, txId: createHash("sha256").update(text).digest("hex") };
}

const transfersOf = ({ toAddress, slug, amount }: Payment) => [{ outputIndex: -1, toAddress, slug, amount }];
const feeOf = ({ data }: Handle): bigint => (typeof data["fee"] === "string" ? BigInt(data["fee"]) : FEE);

/** What replaces them all. */
const bumped = (stuck: readonly PreparedPayment[]): bigint =>
  stuck.map(({ raw }) => read(raw).fee).reduce((sum, fee) => maxOf(sum, fee + fee / 8n + 1n), 0n);
