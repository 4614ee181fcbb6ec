import fc from "fast-check";
import { expect } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { toMinor } from "#contract/money.ts";
import type { Command } from "../../../server/orders/decisions/command.ts";
import { decide, isClosed, isSettled } from "../../../server/orders/decisions/decide.ts";
import { evolve } from "../../../server/orders/decisions/evolve.ts";
import {
  decodeState,
  encodeState,
  type DomainEvent,
  type OrderPayout,
  type OrderState,
  type OrderTerms,
} from "../../../server/orders/decisions/order.ts";
import { OrderOracle } from "./order-oracle.ts";
import { marketAt, milliEth, second } from "./sample-orders.ts";

export const FEE = milliEth(1);

export type Step =
  | { do: "deposit"; milli: number }
  | { do: "mine"; blocks: number }
  | { do: "withdraw" }
  | { do: "reorg" }
  | { do: "market"; price: number }
  | { do: "wait"; seconds: number }
  | { do: "turn" }
  | { do: "refund"; to: string; off: boolean; hold: number }
  | { do: "stop" }
  | { do: "release"; to: string | null }
  | { do: "accept" }
  | { do: "expire" }
  | { do: "finish" }
  | { do: "crash" };

/** What a customer, the chain, the market and the engine may do next; `price` is where the market may go. */
export const stepOf = (price: fc.Arbitrary<number>): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("deposit" as const),
        milli: fc.constantFrom(500, 500, 499, 502, 5, 250, 250, 1, 90_000),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("mine" as const), blocks: fc.constantFrom(1, 3, 3) }),
    },
    { weight: 6, arbitrary: fc.record({ do: fc.constant("turn" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("reorg" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("withdraw" as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("market" as const),
        price,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(60, 700, 1300, 1300, 90_000) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("refund" as const),
        to: fc.constantFrom("back", "back", "thief", "to"),
        off: fc.boolean(),
        hold: fc.constantFrom(0, 600, 600),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("stop" as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("release" as const), to: fc.constantFrom(null, "owner") }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("accept" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("expire" as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("finish" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const) }) },
  );

/**
 * The price of what was given when its payout was decided, or when the customer accepted its offer, and the second in which the last of it
 * came into a block.
 */
export type PayoutMoment = { price: number; isAccepted: boolean; lastMinedAt: number };

type ScenarioOptions = {
  autoRefundSeconds: number | null;
  onPayout: (payout: OrderPayout, moment: PayoutMoment) => void;
};

/** One order with a small chain, a market and its customer; the shell around decide() in memory. */
export class Scenario {
  state: OrderState;
  readonly oracle: OrderOracle;
  readonly counts = new Map<string, number>();
  #deposits: { key: string; amount: bigint; depth: number; seenAt: number; minedAt: number | null }[] = [];
  #made = 0;
  #price = 3000;
  #acceptedAt: number | null = null;
  #now = 0;

  readonly #autoRefundSeconds: number | null;
  readonly #onPayout: (payout: OrderPayout, market: PayoutMoment) => void;

  constructor(
    terms: OrderTerms,
    { autoRefundSeconds = null, onPayout = () => undefined }: Partial<ScenarioOptions> = {},
  ) {
    this.#autoRefundSeconds = autoRefundSeconds;
    this.#onPayout = onPayout;
    const isFixed = terms.fixed !== null;
    this.state = evolve(null, { kind: "CREATION_END", data: { terms }, at: second(0) });
    this.oracle = new OrderOracle({
      isFixed,
      claimed: terms.claimedDepositAmount,
      quotedAmount: terms.quoted.amountTo,
      refundAddress: terms.refund?.address ?? null,
      expiresAt: isFixed ? 1200 : null,
      minimum: terms.minAmount,
      maximum: terms.maxAmount,
      autoRefundSeconds,
    });
  }

  take(one: Step): void {
    this.counts.set(one.do, (this.counts.get(one.do) ?? 0) + 1);
    switch (one.do) {
      case "deposit":
        return void this.#deposits.push({
          key: `d${(this.#made += 1)}`,
          amount: milliEth(one.milli),
          depth: 0,
          seenAt: this.#now,
          minedAt: null,
        });
      case "mine":
        return this.#deposits.forEach((deposit) => {
          deposit.depth += one.blocks;
          deposit.minedAt ??= this.#now;
        });
      case "withdraw":
        this.#deposits = this.#deposits.filter((deposit) => deposit.depth > 0);
        return;
      case "reorg":
        // Below the confirmations that are needed: what was final stays.
        this.#deposits = this.#deposits.filter((deposit) => deposit.depth >= 3 || isSettled(this.state));
        return;
      case "market":
        this.#price = one.price;
        return;
      case "wait":
        this.#now += one.seconds;
        return;
      case "turn":
        return this.#turn();
      case "refund":
        return this.oracle.asks(() => this.#ask(this.#refund(one)), one.hold);
      case "stop":
        return this.#ask({ kind: "stop_refund", at: second(this.#now) });
      case "release": {
        const to = one.to === null ? null : { address: one.to, memo: null };
        return this.#run({ kind: "release_refund", to, at: second(this.#now) });
      }
      case "accept":
        return this.#ask({
          kind: "accept_rate_mode_change",
          received: this.#sum(),
          isMined: this.#counted().every((deposit) => deposit.depth > 0),
          market: marketAt(this.#price),
          at: second(this.#now),
        });
      case "expire":
        return this.#run({ kind: "expire", at: second(this.#now) });
      case "finish":
        return this.#run({
          kind: "complete_payment",
          txId: "tx",
          market: marketAt(this.#price),
          at: second(this.#now),
        });
      case "crash":
        this.state = decodeState(JSON.parse(JSON.stringify(encodeState(this.state))));
    }
  }

  #turn(): void {
    for (const deposit of this.#deposits) {
      const at = second(deposit.seenAt);
      this.#run({
        kind: "see_deposit",
        deposit: { key: deposit.key, amount: toMinor(deposit.amount) },
        standing: this.#standing(),
        market: marketAt(this.#price),
        at,
        now: second(this.#now),
      });
    }
    const counted = this.#counted();
    if (counted.length > 0 && counted.every((deposit) => deposit.depth >= 3)) {
      const lastMinedAt = second(Math.max(...counted.map((deposit) => deposit.minedAt ?? deposit.seenAt)));
      const now = { received: this.#sum(), lastMinedAt, market: marketAt(this.#price), at: second(this.#now) };
      this.#run({ kind: "settle", ...now });
      if (this.#autoRefundSeconds === null) return;
      const lastDepositAt = second(Math.max(...counted.map((deposit) => deposit.seenAt)));
      const wish = { lastDepositAt, autoRefundSeconds: this.#autoRefundSeconds, networkFee: FEE };
      this.#run({ kind: "auto_refund", ...now, ...wish });
    }
  }

  #refund({ to, off, hold }: Extract<Step, { do: "refund" }>): Command {
    const sum = this.#sum();
    const quoted = sum > FEE ? sum - FEE : 0n;
    const claimed = { amount: toMinor<"from">(off ? quoted / 2n : quoted), networkFee: FEE };
    return {
      kind: "request_refund",
      to: { address: to, memo: null },
      claimed,
      received: toMinor(sum),
      networkFee: FEE,
      refundDelaySeconds: hold,
      at: second(this.#now),
    };
  }

  /** What a customer may be refused; anything else that is thrown is a defect. */
  #ask(command: Command): void {
    try {
      this.#run(command);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
    }
  }

  #run(command: Command): void {
    for (const event of decide(command, this.state).events) {
      this.#judge(event);
      this.state = evolve(this.state, event);
    }
  }

  #judge(event: DomainEvent): void {
    this.counts.set(event.kind, (this.counts.get(event.kind) ?? 0) + 1);
    if (event.kind !== "REFUND_STARTED" && event.kind !== "DEPOSIT_REGISTERED" && event.kind !== "EXPIRED")
      this.oracle.happens(event.kind, this.#sum());
    const deposits = this.#counted().map(({ depth, ...deposit }) => ({ ...deposit, isDeep: depth >= 3 }));
    const now = { at: this.#now, price: BigInt(this.#price), deposits };
    // The customer is notified of the end of an offer too.
    if (event.kind === "RATE_MODE_CHANGED") this.oracle.offers(this.#now, event.data.offer?.amount ?? null);
    if (event.kind === "REFUND_REQUESTED") {
      const before = this.oracle.violations.length;
      if (this.oracle.requests(event.data.to.address, now) === "automatically")
        this.counts.set("auto_refund", (this.counts.get("auto_refund") ?? 0) + 1);
      expect(this.oracle.violations.slice(before)).toEqual([]);
    }
    if (event.kind === "REFUND_STOPPED") this.oracle.stops();
    if (event.kind === "REFUND_RELEASED") this.oracle.releases(event.data.to.address);
    if (event.kind === "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED") this.oracle.judgesAmount(deposits);
    if (event.kind === "RATE_MODE_CHANGE_ACCEPTED") {
      this.#acceptedAt = this.#price;
      this.oracle.agrees(event.data.offer.amount, event.data.offer.received, now);
    }
    if (event.kind === "FUNDS_WITHDRAWAL_START") {
      const { payout } = event.data;
      const accepted = this.state.kind === "confirming" ? this.state.accepted : null;
      const isAccepted = accepted?.amount === payout.amount && accepted.received === payout.received;
      this.#onPayout(payout, {
        price: isAccepted ? (this.#acceptedAt ?? this.#price) : this.#price,
        isAccepted,
        lastMinedAt: Math.max(...deposits.map(({ minedAt }) => minedAt ?? 0)),
      });
      this.oracle.leaves({ purpose: "payout", amount: event.data.payout.amount }, now);
    }
    if (event.kind === "REFUND_STARTED") {
      const { amount, networkFee, to } = event.data.refund;
      this.oracle.leaves({ purpose: "refund", amount, fee: networkFee, to: to.address }, now);
    }
  }

  /** The deposits that count: registered, or able to be, as a session of the order has them. */
  #counted() {
    const isKnown = (key: string) => this.state.deposits.some((known) => known.key === key);
    const takesMore = !isSettled(this.state) && !isClosed(this.state, this.#standing());
    return this.#deposits.filter(
      ({ key, amount }) => isKnown(key) || (takesMore && amount >= (this.state.terms.minDeposit ?? 0n)),
    );
  }

  #standing() {
    const known = new Set(this.state.deposits.map(({ key }) => key));
    return toMinor<"from">(this.#deposits.reduce((sum, { key, amount }) => (known.has(key) ? sum + amount : sum), 0n));
  }

  #sum() {
    return toMinor<"from">(this.#counted().reduce((sum, deposit) => sum + deposit.amount, 0n));
  }
}
