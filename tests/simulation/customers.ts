import { CodedError } from "#contract/errors.ts";
import type { Database } from "../../server/db/database.ts";
import { CommitUnknownError } from "../../server/db/transaction.ts";
import { parseAmount } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import type { OrderService } from "../../server/orders/port.ts";
import { bodyOf, newCustomer, worth, type Customer } from "./customer.ts";
import type { Earners } from "./earners.ts";
import type { FaultLog } from "./faults.ts";
import { NETWORKS, type Coin, type SimRates } from "./market.ts";
import type { Random } from "./random.ts";
import type { SimChain } from "./sim-chain.ts";
import type { SimProcess } from "./sim-process.ts";

/** So many rounds somebody who foresees the market waits with an offer for its fall. */
const FORESIGHT_ROUNDS = 8;
/** Long after the rate lock has ended. */
const TINY_DEPOSIT_ROUNDS = 11;

export type CustomersParts = {
  count: number;
  seed: number;
  random: Random;
  faultLog: FaultLog;
  chains: ReadonlyMap<string, SimChain>;
  web: SimProcess;
  admin: Database;
  now: () => Date;
  rates: Pick<SimRates, "prices">;
  /** Whose each order is. */
  earners: Pick<Earners, "of">;
  /** Called with errors that are no answer of the contract. */
  onError(error: unknown): void;
};

/** All customers: they order, pay and choose. The server's promises are remembered and checked at the end. */
export class Customers {
  readonly all: readonly Customer[];
  readonly #parts: CustomersParts;
  #states = new Map<string, string>();
  #sharing: Customer | null = null;

  constructor(parts: CustomersParts) {
    this.#parts = parts;
    this.all = Array.from({ length: parts.count }, (_, n) => newCustomer(n, parts.random));
  }

  /** One round of actions of every customer. */
  async act(round: number): Promise<void> {
    await this.refresh();
    for (const customer of this.all) {
      if (customer.order === null && round >= customer.createsIn) await this.#create(customer);
      if (customer.order === null) continue;
      if (!customer.hasPaid && round >= customer.paysIn) this.#pay(customer);
      await this.#goOn(customer, round);
    }
  }

  /** A customer who has a choice acts now, in the middle of other work. */
  async actMeanwhile(): Promise<boolean> {
    const able = this.all.filter((one) => this.#stateOf(one) === "awaiting_choice" || this.#wantsRefund(one));
    if (able.length === 0) return false;
    await this.#answer(this.#parts.random.pick(able));
    return true;
  }

  /** Reads the orders' states. */
  async refresh(): Promise<void> {
    const rows = await this.#parts.admin.kysely.selectFrom("orders").select(["id", "state"]).execute();
    this.#states = new Map(rows.map((row) => [row.id, row.state]));
  }

  #stateOf(customer: Customer): string | null {
    return customer.order === null ? null : (this.#states.get(customer.order.id) ?? null);
  }

  async #create(customer: Customer): Promise<void> {
    const { seed, now, faultLog, earners } = this.#parts;
    const { owner, body } = earners.of(customer.n);
    const client = {
      key: `client-${customer.n}`,
      traceId: "simulation",
      seed: `${seed} ${customer.n}`,
      ...(owner !== null && { userId: owner.userId }),
    };
    const order = await this.#call((orderService) =>
      orderService.create({ ...bodyOf(customer, now()), ...body }, client),
    );
    if (typeof order === "string") {
      customer.wasInterrupted ||= order === "lost";
      return;
    }
    if (customer.wasInterrupted) faultLog.record("creation repeated after a crash");
    customer.order = { id: order.orderId, address: order.depositAddress, memo: order.depositAddressMemo ?? null };
  }

  #pay(customer: Customer): void {
    const { plan, amount, from } = customer;
    const { faultLog } = this.#parts;
    customer.hasPaid = true;
    switch (plan) {
      case "never":
        return faultLog.record("order never paid");
      case "too little":
        faultLog.record("deposit under the minimum");
        return this.#send(customer, worth(from, 8));
      case "too much":
        faultLog.record("deposit over the maximum");
        return this.#send(customer, worth(from, 2_500));
      case "other amount":
        faultLog.record("deposit of another amount than agreed");
        return this.#send(customer, (amount * 11n) / 10n);
      case "in two parts":
        faultLog.record("deposit in two parts");
        return this.#send(customer, amount / 2n);
      case "with dust":
        faultLog.record("dust beside a deposit");
        this.#send(customer, 1n);
        return this.#send(customer, amount);
      case "with a tiny deposit":
        faultLog.record("tiny deposit before the rate lock ends");
        return this.#send(customer, amount / 1_000n);
      case "other asset":
        faultLog.record("deposit of another asset");
        return this.#send(customer, 5_000_000n, "usdc-erc20");
      case "without memo":
        faultLog.record("deposit without its memo");
        return this.#send(customer, amount, from.slug, null);
      case "shared transaction":
        return this.#share(customer);
      case "late":
        faultLog.record("deposit after the rate lock");
        return this.#send(customer, amount);
      default:
        return this.#send(customer, amount);
    }
  }

  /** Waits for another one on the same network, and pays both orders in one transaction. */
  #share(customer: Customer): void {
    const other = this.#sharing;
    if (other === null || other.from.network !== customer.from.network) {
      if (other !== null) this.#send(other, other.amount);
      this.#sharing = customer;
      return;
    }
    this.#sharing = null;
    this.#parts.faultLog.record("one transaction pays two orders");
    const outputs = [other, customer].flatMap(({ order, from, amount }) =>
      order === null ? [] : [{ to: order.address, memo: order.memo, slug: from.slug, amount }],
    );
    this.#chainOf(customer).pay(outputs, this.#hasMemos(customer));
  }

  async #goOn(customer: Customer, round: number): Promise<void> {
    const { faultLog } = this.#parts;
    const state = this.#stateOf(customer);
    const isLater = round >= customer.paysIn + 4;
    if (!customer.hasPaid) return;
    if (customer.plan === "in two parts" && !customer.hasPaidAgain && round > customer.paysIn)
      return this.#again(customer, customer.amount - customer.amount / 2n);
    if (
      customer.plan === "with a tiny deposit" &&
      !customer.hasPaidAgain &&
      round >= customer.paysIn + TINY_DEPOSIT_ROUNDS
    )
      return this.#again(customer, customer.amount - customer.amount / 1_000n);
    if (customer.plan === "replaced" && !customer.hasPaidAgain) return this.#replace(customer);
    if (customer.plan === "too little" && isLater && !customer.hasPaidAgain && customer.answer !== "nothing")
      return customer.answer === "accept" ? this.#again(customer, customer.amount) : this.#answer(customer);
    if (customer.plan === "too much" && isLater && customer.answer !== "nothing") return this.#answer(customer);
    if (customer.plan === "again after the end" && state === "completed" && !customer.hasPaidAgain) {
      faultLog.record("deposit after the end");
      return this.#again(customer, customer.amount);
    }
    if (customer.plan === "wants a refund, then pays again" && state === "refunded" && !customer.hasPaidAgain) {
      faultLog.record("deposit after a refund");
      return this.#again(customer, customer.amount);
    }
    if (state === "awaiting_choice" || this.#wantsRefund(customer)) await this.#answer(customer);
  }

  #wantsRefund(customer: Customer): boolean {
    const wants = customer.plan === "wants a refund" || customer.plan === "wants a refund, then pays again";
    return wants && this.#stateOf(customer) === "confirming" && !customer.refundAskedFor;
  }

  async #answer(customer: Customer): Promise<void> {
    const { faultLog, random } = this.#parts;
    const state = this.#stateOf(customer);
    customer.answers += 1;
    if (state === "confirming") {
      faultLog.record("refund asked for while confirming");
      return this.#askRefund(customer);
    }
    if (state !== "awaiting_choice") return;
    switch (customer.answer) {
      case "nothing":
        return;
      case "accept":
        return customer.foresees && customer.answers <= FORESIGHT_ROUNDS
          ? this.#foresee(customer)
          : void (await this.#accept(customer));
      case "refund":
        return this.#askRefund(customer);
      case "both": {
        faultLog.record("refund and acceptance at once");
        const calls = [() => this.#accept(customer), () => this.#askRefund(customer)];
        for (const call of random.chance(0.5) ? calls : calls.toReversed()) await call();
        return;
      }
      case "twice": {
        const isRefund = random.chance(0.5);
        faultLog.record(isRefund ? "refund asked for twice" : "acceptance asked for twice");
        for (let time = 0; time < 2; time += 1) await (isRefund ? this.#askRefund(customer) : this.#accept(customer));
        if (isRefund) await this.#askRefund(customer, `thief-${customer.n}`);
      }
    }
  }

  async #accept({ order, destination }: Customer): Promise<Order | null> {
    if (order === null) return null;
    const answer = await this.#call((orderService) =>
      orderService.acceptRateModeChange({ orderId: order.id, destinationAddress: destination }),
    );
    return typeof answer === "string" ? null : answer;
  }

  /** Takes an offer only once the market has left it, so that it is worth more than the deposit: nobody may get that (engine law 13). */
  async #foresee(customer: Customer): Promise<void> {
    const { faultLog, onError } = this.#parts;
    const { order, destination, from, to } = customer;
    if (order === null) return;
    const shown = await this.#call((orderService) => orderService.info(order.id, destination));
    if (typeof shown === "string" || shown.offer === null) return;
    const given = shown.deposits.filter(({ isCounted }) => isCounted).map(({ amount }) => this.#worthOf(from, amount));
    const worth = given.reduce((sum, one) => sum + one, 0n);
    if (this.#worthOf(to, shown.offer.amountToGet) <= worth) return;
    faultLog.record("offer taken by who foresees the market");
    const taken = await this.#accept(customer);
    if (taken !== null && taken.offer === null && this.#worthOf(to, taken.amountToGet) > worth)
      onError(new Error(`${order.id} gets ${taken.amountToGet} ${to.slug}, which is worth more than its deposit`));
  }

  /** In US dollars on the market now, in units of its prices. */
  #worthOf({ slug, decimals }: Coin, amount: string): bigint {
    const minor = parseAmount(amount, decimals);
    const price = this.#parts.rates.prices.get(slug);
    if (minor === null || price === undefined) throw new Error(`${amount} ${slug} has no worth here`);
    return (minor * price) / 10n ** BigInt(decimals);
  }

  async #askRefund(customer: Customer, to = customer.refundTo): Promise<void> {
    const { order, destination } = customer;
    if (order === null) return;
    const isElsewhere = to !== customer.refundTo;
    if (isElsewhere) this.#parts.faultLog.record("refund to another address than before");
    const quoted = await this.#call((orderService) => orderService.refundInfo(order.id));
    if (typeof quoted === "string") return;
    const taken = await this.#call((orderService) =>
      orderService.requestRefund({
        orderId: order.id,
        destinationAddress: destination,
        refundAddress: to,
        refundAmount: quoted.refundAmountWithoutNetworkFee,
        claimedNetworkFee: quoted.networkFee,
      }),
    );
    if (typeof taken !== "string" && !isElsewhere) customer.refundAskedFor = true;
  }

  /** "lost" when the call's result is unknown. */
  async #call<T extends object>(ask: (orderService: OrderService) => Promise<T>): Promise<T | "refused" | "lost"> {
    try {
      const result = await this.#parts.web.run(({ engine }) => ask(engine.orderService));
      return result === "died" ? "lost" : result.done;
    } catch (error) {
      if (error instanceof CodedError) return "refused";
      if (!(error instanceof CommitUnknownError)) this.#parts.onError(error);
      return "lost";
    }
  }

  #again(customer: Customer, amount: bigint): void {
    customer.hasPaidAgain = true;
    this.#send(customer, amount);
  }

  /** The deposit's block is undone, and another transaction of the same coins is mined instead. */
  #replace(customer: Customer): void {
    const chain = this.#chainOf(customer);
    const { deposit } = customer;
    if (deposit === null || chain.depthOf(deposit) !== 1) {
      if (deposit !== null && chain.depthOf(deposit) > 1) customer.hasPaidAgain = true;
      return;
    }
    this.#parts.faultLog.record("deposit replaced by another");
    chain.fork(1, (transaction) => transaction.txId === deposit);
    this.#again(customer, (customer.amount * 999n) / 1000n);
  }

  #send(customer: Customer, amount: bigint, slug = customer.from.slug, memo = customer.order?.memo ?? null): void {
    const to = customer.order?.address;
    if (to === undefined) return;
    const paid = this.#chainOf(customer).pay([{ to, memo, slug, amount }], this.#hasMemos(customer));
    customer.deposit ??= paid.txId;
  }

  #hasMemos = ({ from }: Customer): boolean => NETWORKS.get(from.network)?.hasMemos === true;

  #chainOf({ from }: Customer): SimChain {
    const chain = this.#parts.chains.get(from.network);
    if (chain === undefined) throw new Error(`${from.network} is not simulated`);
    return chain;
  }
}
