import { createHash } from "node:crypto";
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
} from "../../server/chains/port.ts";
import type { FaultLog } from "./faults.ts";
import type { Random } from "./random.ts";
import { HOT, SimChain, type SimBlock, type SimTransaction } from "./sim-chain.ts";

export type NodeTraits = { feeSlug: string; hasMemos: boolean; fee: bigint };

/** A node's faults for a round; single calls fail by chance on top. */
export type NodeFaults = {
  isDown: boolean;
  isMempoolDown: boolean;
  lag: number;
  isOnAbandonedFork: boolean;
  claimedBlocks: number;
  shortageSlug: string | null;
};

export const noFaults = (): NodeFaults => ({
  isDown: false,
  isMempoolDown: false,
  lag: 0,
  isOnAbandonedFork: false,
  claimedBlocks: 0,
  shortageSlug: null,
});

/** Destinations whose code takes no coins. */
export const isHostile = (address: string): boolean => address.startsWith("hostile");

const RICH = 10n ** 40n;
const SHARED = "shared";

/** One process's node of a network: it answers by the chain behind it, late, wrongly or not at all. */
export class SimNode implements NetworkReader, NetworkWallet {
  readonly networkTitle: string;
  readonly feeSlug: string;
  faults = noFaults();
  /** The share of calls that go wrong by themselves; 0 once the faults have stopped. */
  callFaultShare: number;
  /** A planted bug: a payment that is sent again is built again, with a nonce of its own. */
  readonly #rebuilds: boolean;
  /** Another one: a replacement doesn't exclude what it replaces. */
  readonly #replacesElsewhere: boolean;
  readonly #chain: SimChain;
  readonly #traits: NodeTraits;
  readonly #random: Random;
  readonly #faultLog: FaultLog;
  readonly #hang: () => Promise<void>;

  constructor(parts: {
    chain: SimChain;
    traits: NodeTraits;
    random: Random;
    faultLog: FaultLog;
    callFaultShare: number;
    rebuilds: boolean;
    replacesElsewhere: boolean;
    /** Lets time pass, and others act, in a call that never answers. */
    hang: () => Promise<void>;
  }) {
    this.networkTitle = parts.chain.title;
    this.feeSlug = parts.traits.feeSlug;
    this.callFaultShare = parts.callFaultShare;
    this.#rebuilds = parts.rebuilds;
    this.#replacesElsewhere = parts.replacesElsewhere;
    this.#chain = parts.chain;
    this.#traits = parts.traits;
    this.#random = parts.random;
    this.#faultLog = parts.faultLog;
    this.#hang = parts.hang;
  }

  parseAddress(text: string): ParsedAddress {
    return /^[a-z][a-z0-9-]*$/i.test(text)
      ? { valid: true, canonical: text.toLowerCase() }
      : { valid: false, code: null };
  }

  depositAddress(index: bigint): { address: string; memo: string | null } {
    return this.#traits.hasMemos ? { address: SHARED, memo: `${index}` } : { address: `deposit-${index}`, memo: null };
  }

  depositUri(address: string, _memo: string | null, slug: string, amount: bigint): string {
    return `sim:${address}?${slug}=${amount}`;
  }

  async head(): Promise<BlockRef> {
    this.#answer();
    const { height, hash, parentHash } = this.#blockOfView(this.#view().length - 1);
    if (this.faults.claimedBlocks === 0) return { height, hash, parentHash };
    return { height: height + this.faults.claimedBlocks, hash: `${hash}-imagined`, parentHash: hash };
  }

  async blockAt(height: number): Promise<ObservedBlock | null> {
    this.#answer();
    if (this.faults.claimedBlocks > 0 && height >= this.#view().length)
      this.#faultLog.record("node claims blocks that it lacks");
    const isStuttering = height > 2 && this.#happens();
    if (isStuttering) this.#faultLog.record("node stutters");
    const end = this.#view().length - (isStuttering ? this.#random.whole(1, 3) : 0);
    return height < end ? SimChain.observed(this.#blockOfView(height)) : null;
  }

  async mempool(): Promise<ObservedTransfer[]> {
    this.#answer();
    if (this.faults.isMempoolDown) {
      this.#faultLog.record("mempool not readable");
      throw new Error("the node does not answer for its mempool");
    }
    const waiting = [...this.#chain.mempool.values()];
    const visible = waiting.filter(() => !this.#happens(3));
    if (visible.length < waiting.length) this.#faultLog.record("mempool shown in part");
    return visible.flatMap(({ txId, transfers }) => transfers.map((one) => ({ txId, ...one })));
  }

  async estimateFee(): Promise<bigint> {
    this.#answer();
    return this.#traits.fee;
  }

  hotAddress(): string {
    return HOT;
  }

  async hotBalance(slug: string): Promise<bigint> {
    this.#answer();
    if (this.faults.shortageSlug !== slug) return RICH;
    this.#faultLog.record("hot wallet short");
    return 0n;
  }

  async chooseHandle(payment: Payment, reserved: readonly Handle[]): Promise<Handle> {
    await this.#answerInTime();
    if (isHostile(payment.toAddress)) {
      this.#faultLog.record("destination reverts");
      throw new PaymentRefusedError("destination_reverts", "execution reverted");
    }
    const taken = reserved.map((handle) => Number(handle.data["nonce"]) + 1);
    const nonce = Math.max(this.#chain.nextNonce, ...taken);
    return { keys: [`${HOT}:${nonce}`], data: { nonce, fee: Number(this.#chain.marketFee) } };
  }

  maxCost(handle: Handle): bigint {
    return BigInt(Number(handle.data["fee"]));
  }

  async prepare(payment: Payment, handle: Handle): Promise<PreparedPayment> {
    this.#answer();
    return this.#sign(payment, handle, this.maxCost(handle));
  }

  async prepareReplacement(
    payment: Payment,
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<PreparedReplacement | null> {
    this.#answer();
    const fees = stuck.map((one) => this.#read(one).fee);
    const { marketFee, nextNonce } = this.#chain;
    if (Number(handle.data["nonce"]) !== nextNonce || fees.some((fee) => fee >= marketFee)) return null;
    const fee = [marketFee, ...fees.map((one) => one + one / 8n + 1n)].reduce((one, two) => (one > two ? one : two));
    this.#faultLog.record("payment replaced");
    const nonce = this.#replacesElsewhere ? this.#chain.freeNonce : nextNonce;
    return { ...this.#sign(payment, { keys: [], data: { nonce } }, fee), maxCost: fee };
  }

  #sign({ toAddress, toMemo, slug, amount }: Payment, handle: Handle, fee: bigint): PreparedPayment {
    const nonce = Number(handle.data["nonce"]);
    const raw = JSON.stringify({ nonce, fee: `${fee}`, toAddress, toMemo, slug, amount: `${amount}` });
    return { raw, txId: createHash("sha256").update(`${this.networkTitle} ${raw}`).digest("hex").slice(0, 24) };
  }

  async broadcast(prepared: PreparedPayment): Promise<BroadcastResult> {
    if (this.faults.isDown || this.#happens()) {
      this.#faultLog.record("broadcast lost");
      return { kind: "unknown", reason: "the request was lost" };
    }
    const { known, ...result } = this.#chain.submit(this.#read(prepared));
    if (known) this.#faultLog.record("broadcast of what is already known");
    if (known && this.#rebuilds) this.#chain.sendAnew(this.#read(prepared));
    if (!this.#happens(3)) return result;
    this.#faultLog.record("broadcast accepted, answer lost");
    return { kind: "unknown", reason: "the answer was lost" };
  }

  async lookup(txId: string): Promise<Lookup> {
    await this.#answerInTime();
    if (!this.#happens()) return this.#chain.lookup(txId);
    this.#faultLog.record("node denies a transaction");
    return { kind: "absent" };
  }

  #read({ raw, txId }: PreparedPayment): SimTransaction {
    const read: { nonce: number; fee: string; toAddress: string; slug: string; amount: string } = JSON.parse(raw);
    const transfer = { outputIndex: 0, toAddress: read.toAddress, slug: read.slug, amount: BigInt(read.amount) };
    return { txId, from: HOT, nonce: read.nonce, fee: BigInt(read.fee), transfers: [transfer] };
  }

  #view(): SimBlock[] {
    const { abandoned, blocks } = this.#chain;
    const branch = this.faults.isOnAbandonedFork && abandoned !== null ? abandoned : blocks;
    return this.faults.lag === 0 ? branch : branch.slice(0, branch.length - this.faults.lag);
  }

  #blockOfView(height: number): SimBlock {
    const block = this.#view()[height];
    if (block === undefined) throw new Error(`the node has no block ${height}`);
    return block;
  }

  #happens(times = 1): boolean {
    return this.callFaultShare > 0 && this.#random.chance(this.callFaultShare * times);
  }

  /** As `#answer`, unless the call hangs until its time limit. */
  async #answerInTime(): Promise<void> {
    this.#answer();
    if (!this.#happens()) return;
    this.#faultLog.record("node hangs");
    await this.#hang();
    throw new Error("the node does not answer");
  }

  #answer(): void {
    if (!this.faults.isDown) return;
    this.#faultLog.record("node down");
    throw new Error("the node does not answer");
  }
}
