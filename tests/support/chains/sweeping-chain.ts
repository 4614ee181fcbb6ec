import { createHash } from "node:crypto";
import type {
  DepositSource,
  Handle,
  NetworkSweeper,
  Payment,
  PreparedPayment,
  PreparedReplacement,
} from "../../../server/chains/port.ts";
import { FakeChain } from "./fake-chain.ts";

/** The maximum cost of a sweep here, and its actual cost. */
export const SWEEP_COST = 50n;
const FEE_PAID = 21n;

/** The small account chain whose deposit addresses are accounts of their own: each has nonces and pays its own fees. */
export class SweepingChain extends FakeChain implements NetworkSweeper {
  sweepCostNow = SWEEP_COST;
  /** How much it rises with every answer about it. */
  sweepCostRise = 0n;

  /** What an address has received less what it has sent and paid for that, by the canonical chain. */
  holds(address: string, slug: string): bigint {
    const mined = this.blocks.flatMap((block) => block.transactions);
    const sent = mined.filter((transaction) => transaction.from === address);
    const paid = sent.flatMap((transaction) => transaction.transfers).filter((transfer) => transfer.slug === slug);
    const fees = slug === this.feeSlug ? sum(sent.map(({ fee = FEE_PAID }) => fee)) : 0n;
    return sum(this.received(address, slug)) - sum(paid.map((transfer) => transfer.amount)) - fees;
  }

  async depositBalance({ address }: DepositSource, slug: string): Promise<bigint> {
    await this.head();
    return this.holds(address, slug);
  }

  async sweepCost(): Promise<bigint> {
    await this.head();
    return this.#takeCost();
  }

  #takeCost(): bigint {
    const cost = this.sweepCostNow;
    this.sweepCostNow += this.sweepCostRise;
    return cost;
  }

  override maxCost(handle: Handle): bigint {
    const { sweepCost } = handle.data;
    return typeof sweepCost === "string" ? BigInt(sweepCost) : super.maxCost(handle);
  }

  async chooseSweepHandle(from: DepositSource, payment: Payment, reserved: readonly Handle[]): Promise<Handle | null> {
    const coins = await this.depositBalance(from, this.feeSlug);
    if (payment.slug !== this.feeSlug && coins < this.sweepCostNow) return null;
    const mined = this.blocks.flatMap((block) => block.transactions).filter(({ from: by }) => by === from.address);
    const taken = reserved.flatMap(({ data }) => (data["from"] === from.address ? [Number(data["nonce"]) + 1] : []));
    const nonce = Math.max(mined.length + this.inventedNonces, ...taken);
    return {
      keys: [`${from.address}:${nonce}`],
      data: { from: from.address, nonce, sweepCost: `${this.#takeCost()}` },
    };
  }

  override async chooseHandle(payment: Payment, reserved: readonly Handle[]): Promise<Handle> {
    const own = reserved.filter(({ data }) => data["from"] === undefined);
    return super.chooseHandle(payment, own);
  }

  async prepareSweep(from: DepositSource, payment: Payment, handle: Handle): Promise<PreparedPayment> {
    return sign(from, payment, handle);
  }

  async prepareSweepCancellation(
    from: DepositSource,
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<PreparedPayment & { maxCost: bigint }> {
    if (handle.data["from"] !== from.address) throw new Error("the handle belongs to another wallet");
    const paid = stuck.map(({ raw }) => BigInt((JSON.parse(raw) as { fee: string }).fee));
    const fee = [this.marketFee, ...paid.map((one) => one + one / 5n)].reduce((most, one) => (one > most ? one : most));
    return { ...sign(from, null, handle, fee), maxCost: fee };
  }

  override async prepareCancellation(
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<PreparedPayment | null> {
    if (handle.data["from"] !== undefined) throw new Error("the handle belongs to another wallet");
    return super.prepareCancellation(handle, stuck);
  }

  /** At the market's fee, which comes out of what is moved. */
  async prepareSweepReplacement(
    from: DepositSource,
    payment: Payment,
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<PreparedReplacement | null> {
    const held = await this.depositBalance(from, payment.slug);
    const fee = this.marketFee;
    if (fee <= FEE_PAID || stuck.some(({ raw }) => raw.includes(`"fee":"${fee}"`))) return null;
    const amount = payment.slug === this.feeSlug ? held - fee : payment.amount;
    return {
      ...sign(from, { ...payment, amount }, handle, fee),
      maxCost: fee,
      ...(amount < payment.amount && { amount }),
    };
  }
}

/** Without a payment one that pays nobody. */
function sign(from: DepositSource, payment: Payment | null, handle: Handle, fee = FEE_PAID): PreparedPayment {
  const transfers =
    payment === null
      ? []
      : [{ outputIndex: -1, toAddress: payment.toAddress, slug: payment.slug, amount: payment.amount.toString() }];
  const raw = JSON.stringify({ from: from.address, nonce: handle.data["nonce"], fee: `${fee}`, transfers });
  return { raw, txId: createHash("sha256").update(raw).digest("hex") };
}

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
