import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { toMinor } from "#contract/money.ts";
import { OrderOracle } from "../../tests/support/order-oracle.ts";
import { fixedTerms, floatingTerms, marketAt, milliEth, second } from "../../tests/support/sample-orders.ts";
import { decide, isClosed, isSettled, type Command } from "./decide.ts";
import { evolve } from "./evolve.ts";
import { decodeState, encodeState, type DomainEvent, type OrderState } from "./order.ts";

const SEQUENCES = 30_000;
const FEE = milliEth(1);
const AUTO_REFUND_SECONDS = 60;

type Step =
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

const step: fc.Arbitrary<Step> = fc.oneof(
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
      price: fc.constantFrom(3000, 2990, 2965, 2920, 2500, 3300),
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

/** One order with a small chain, a market and its customer; the shell around decide() in memory. */
class Scenario {
  state: OrderState;
  readonly oracle: OrderOracle;
  readonly counts = new Map<string, number>();
  #deposits: { key: string; amount: bigint; depth: number; seenAt: number; minedAt: number | null }[] = [];
  #made = 0;
  #price = 3000;
  #now = 0;

  readonly #autoRefundSeconds: number | null;

  constructor(isFixed: boolean, autoRefundSeconds: number | null) {
    this.#autoRefundSeconds = autoRefundSeconds;
    const terms = isFixed ? fixedTerms : floatingTerms;
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
      holdSeconds: hold,
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
    if (event.kind === "RATE_MODE_CHANGE_ACCEPTED")
      this.oracle.agrees(event.data.offer.amount, event.data.offer.received, now);
    if (event.kind === "FUNDS_WITHDRAWAL_START")
      this.oracle.leaves({ purpose: "payout", amount: event.data.payout.amount }, now);
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

describe("any life of an order", () => {
  it("breaks no law, in thirty thousand runs", () => {
    const struck = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.array(step, { minLength: 8, maxLength: 40 }),
        (isFixed, waits, steps) => {
          const scenario = new Scenario(isFixed, waits ? null : AUTO_REFUND_SECONDS);
          for (const one of steps) scenario.take(one);
          for (const [name, count] of scenario.counts) struck.set(name, (struck.get(name) ?? 0) + count);
          expect(scenario.oracle.violations).toEqual([]);
        },
      ),
      { numRuns: SEQUENCES },
    );
    // A law that never had a chance to break proves nothing.
    const kinds = [
      "FUNDS_WITHDRAWAL_START",
      "REFUND_STARTED",
      "RATE_MODE_CHANGE_ACCEPTED",
      "FIXED_RATE_SLOW_DEPOSIT_DETECTED",
      "FIXED_RATE_HIGH_VOLATILITY_DETECTED",
      "REFUND_STOPPED",
      "REFUND_RELEASED",
      "EXPIRED",
      "withdraw",
    ];
    for (const kind of [...kinds, "WITHDRAWAL_COMPLETED", "REFUND_COMPLETED", "auto_refund"])
      expect([kind, (struck.get(kind) ?? 0) > 15]).toEqual([kind, true]);
  }, 120_000);
});

describe("the oracle notices", () => {
  const now = {
    at: 0,
    price: 3000n,
    deposits: [{ key: "a", amount: milliEth(500), isDeep: true, seenAt: 0, minedAt: 0 }],
  };
  const terms = {
    isFixed: false,
    claimed: milliEth(500),
    quotedAmount: 1_491_500_000n,
    refundAddress: null,
    expiresAt: null,
    minimum: milliEth(10),
    maximum: null,
    autoRefundSeconds: 1000,
  };
  const fixedOracle = () => new OrderOracle({ ...terms, isFixed: true, refundAddress: "back", expiresAt: 1200 });
  const right = { purpose: "payout", amount: 1_491_500_000n } as const;

  it.each([
    ["a second payment", (oracle: OrderOracle) => [1, 2].forEach(() => oracle.leaves(right, now))],
    [
      "a payment without depth",
      (oracle: OrderOracle) =>
        oracle.leaves(right, {
          ...now,
          deposits: [{ key: "a", amount: milliEth(500), isDeep: false, seenAt: 0, minedAt: null }],
        }),
    ],
    [
      "a fixed rate that its first part kept",
      (oracle: OrderOracle) => {
        const parts = [
          { key: "a", amount: milliEth(5), isDeep: true, seenAt: 10, minedAt: 10 },
          { key: "b", amount: milliEth(495), isDeep: true, seenAt: 2000, minedAt: 2000 },
        ];
        fixedOracle()
          .leaves(right, { ...now, deposits: parts })
          .forEach((one) => oracle.violations.push(one));
      },
    ],
    [
      "a fixed rate after the market has moved for a deposit that could be withdrawn",
      (oracle: OrderOracle) => {
        const waited = [{ key: "a", amount: milliEth(500), isDeep: true, seenAt: 10, minedAt: 5000 }];
        const moved = { ...now, price: 2960n, deposits: waited };
        fixedOracle()
          .leaves(right, moved)
          .forEach((one) => oracle.violations.push(one));
      },
    ],
    [
      "an acceptance of an offer that has ended",
      (oracle: OrderOracle) => {
        oracle.offers(0, 1_000_000n);
        oracle.agrees(1_000_000n, milliEth(500), { ...now, at: 601 });
      },
    ],
    [
      "an acceptance after the market has fallen",
      (oracle: OrderOracle) => {
        oracle.offers(0, 1_491_500_000n);
        oracle.agrees(1_491_500_000n, milliEth(500), { ...now, price: 2980n });
      },
    ],
    ["a wrong sum", (oracle: OrderOracle) => oracle.leaves({ ...right, amount: 1_500_000_000n }, now)],
    [
      "a refund that nobody requested",
      (oracle: OrderOracle) => oracle.leaves({ purpose: "refund", amount: milliEth(499), fee: FEE, to: "back" }, now),
    ],
    ...[
      ["before its owner could stop it", 599, "new", () => undefined] as const,
      ["that was stopped", 601, "new", (oracle: OrderOracle) => oracle.stops()] as const,
      ["to another address than requested", 601, "thief", () => undefined] as const,
      [
        "to another address than released",
        601,
        "new",
        (oracle: OrderOracle) => (oracle.stops(), oracle.releases("owner")),
      ] as const,
    ].map(([what, at, to, meanwhile]): [string, (oracle: OrderOracle) => void] => [
      `a refund ${what}`,
      (oracle) => {
        oracle.asks(() => (oracle.happens("REFUND_REQUESTED"), oracle.requests("new", now)), 600);
        meanwhile(oracle);
        oracle.leaves({ purpose: "refund", amount: milliEth(499), fee: FEE, to }, { ...now, at });
      },
    ]),
    ["an automatic refund without a deadline", (oracle: OrderOracle) => oracle.requests("back", { ...now, at: 5000 })],
    [
      "a step back",
      (oracle: OrderOracle) =>
        ["WITHDRAWAL_COMPLETED", "INCOMING_FUNDS_DETECTED"].forEach((kind) => oracle.happens(kind)),
    ],
    [
      "both choices",
      (oracle: OrderOracle) =>
        ["RATE_MODE_CHANGED", "REFUND_REQUESTED", "RATE_MODE_CHANGE_ACCEPTED"].forEach((kind) => oracle.happens(kind)),
    ],
  ])("%s", (_, sin) => {
    const oracle = new OrderOracle(terms);
    sin(oracle);
    expect(oracle.violations).not.toEqual([]);
  });

  it.each([
    ["too early", 900, "back", 1],
    ["to another place", 5000, "thief", 1],
    ["of an order that goes on by itself", 5000, "back", 500],
  ])("a refund by itself %s", (_, at, to, milli) => {
    const oracle = new OrderOracle({ ...terms, isFixed: true, refundAddress: "back" });
    oracle.requests(to, {
      ...now,
      at,
      deposits: [{ key: "a", amount: milliEth(milli), isDeep: true, seenAt: 0, minedAt: 0 }],
    });
    expect(oracle.violations).not.toEqual([]);
  });

  it("nothing in a correct run", () => {
    const oracle = new OrderOracle(terms);
    oracle.leaves(right, now);
    expect(oracle.violations).toEqual([]);
  });
});
