import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OrderOracle } from "../../../tests/support/orders/order-oracle.ts";
import { FEE, Scenario, stepOf } from "../../../tests/support/orders/order-scenario.ts";
import { fixedTerms, floatingTerms, milliEth } from "../../../tests/support/orders/sample-orders.ts";

const SEQUENCES = 30_000;
const AUTO_REFUND_SECONDS = 60;
const step = stepOf(fc.constantFrom(3000, 2990, 2965, 2920, 2500, 3300));
describe("any life of an order", () => {
  it("breaks no law, in thirty thousand runs", () => {
    const struck = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.array(step, { minLength: 8, maxLength: 40 }),
        (isFixed, waits, steps) => {
          const scenario = new Scenario(isFixed ? fixedTerms : floatingTerms, {
            autoRefundSeconds: waits ? null : AUTO_REFUND_SECONDS,
          });
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
