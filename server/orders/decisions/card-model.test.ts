import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMinor } from "#contract/money.ts";
import { CardOracle, type Report } from "../../../tests/support/card/card-oracle.ts";
import { cardTerms } from "../../../tests/support/card/card-terms.ts";
import type { Command } from "./command.ts";
import { decide, unpaidUntil } from "./decide.ts";
import { evolve } from "./evolve.ts";
import type { OrderState } from "./order.ts";

const SEQUENCES = 20_000;
/** What the provider reports: near to what `cardTerms` quotes, and not the same. */
const REPORTED = {
  buy: { paid: 9_900n, delivered: 97_000_000n },
  sell: { paid: 99_700_000n, delivered: 8_950n },
} as const;
const HIDDEN = new Set(["REFUND_STARTED"]);

const report = fc.constantFrom<Report>("opened", "paid", "sending", "done", "cancelled", "failed", "refunded");
const step = fc.oneof(
  { weight: 8, arbitrary: report },
  { weight: 1, arbitrary: fc.constantFrom("expire" as const, "complete_payment" as const, "request_refund" as const) },
);
type Step = Report | "expire" | "complete_payment" | "request_refund";

const AT = cardTerms("buy").createdAt;

function commandOf(given: Step, state: OrderState): Command {
  const at = AT;
  if (given === "expire") return { kind: "expire", at: unpaidUntil(state.terms) };
  if (given === "complete_payment") return { kind: "complete_payment", txId: "tx", market: null, at };
  if (given === "request_refund") {
    const claimed = { amount: toMinor<"from">(0n), networkFee: toMinor<"from">(0n) };
    const sums = { received: toMinor<"from">(0n), networkFee: toMinor<"from">(0n), refundDelaySeconds: 0 };
    return { kind: "request_refund", to: { address: "thief", memo: null }, claimed, ...sums, at };
  }
  const { paid, delivered } = REPORTED[state.terms.card?.direction ?? "buy"];
  const amounts = { paid: toMinor<"from">(paid), delivered: toMinor<"to">(delivered) };
  return { kind: "card_news", state: given, ...amounts, txId: "tx", market: null, at };
}

describe("any life of an order by card", () => {
  it("breaks no law, in twenty thousand runs", () => {
    const struck = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.constantFrom("buy" as const, "sell" as const),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        (direction, steps) => {
          const oracle = new CardOracle();
          let state = evolve(null, { kind: "CREATION_END", data: { terms: cardTerms(direction) }, at: AT });
          for (const one of steps) {
            const command = commandOf(one, state);
            if (command.kind === "card_news") oracle.reports(command.state);
            if (command.kind === "expire") oracle.timeIsOver();
            if (command.kind === "request_refund") {
              const before = state;
              expect(() => decide(command, before)).toThrow();
              continue;
            }
            for (const event of decide(command, state).events) {
              state = evolve(state, event);
              if (!HIDDEN.has(event.kind)) oracle.happens(event.kind);
              const name = `${direction} ${event.kind}`;
              struck.set(name, (struck.get(name) ?? 0) + 1);
            }
          }
          oracle.settled();
          const paid = state.deposits.reduce((sum, { amount }) => sum + amount, 0n);
          if (paid > 0n)
            oracle.ends(
              { paid, delivered: state.kind === "completed" ? state.payout.amount : null },
              REPORTED[direction],
            );
          expect(oracle.violations).toEqual([]);
        },
      ),
      { numRuns: SEQUENCES },
    );
    // A law that never had a chance to break proves nothing.
    for (const kind of ["WITHDRAWAL_COMPLETED", "REFUND_COMPLETED", "EXPIRED", "FUNDS_WITHDRAWAL_START"])
      for (const name of [`buy ${kind}`, `sell ${kind}`])
        expect([name, (struck.get(name) ?? 0) > 100]).toEqual([name, true]);
  }, 120_000);
});

describe("the oracle notices", () => {
  it.each<[string, (oracle: CardOracle) => void]>([
    ["a completion that nobody reported", (oracle) => oracle.happens("WITHDRAWAL_COMPLETED")],
    [
      "an event that comes again",
      (oracle) => (oracle.reports("paid"), [1, 2].forEach(() => oracle.happens("DEPOSIT_REGISTERED"))),
    ],
    [
      "a refund after the completion",
      (oracle) => {
        (["done", "refunded"] as const).forEach((one) => oracle.reports(one));
        [
          "DEPOSIT_REGISTERED",
          "INCOMING_FUNDS_DETECTED",
          "FUNDS_WITHDRAWAL_START",
          "WITHDRAWAL_COMPLETED",
          "REFUND_COMPLETED",
        ].forEach((kind) => oracle.happens(kind));
      },
    ],
    [
      "an end of what was paid",
      (oracle) => {
        (["paid", "cancelled"] as const).forEach((one) => oracle.reports(one));
        ["DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED", "EXPIRED"].forEach((kind) => oracle.happens(kind));
      },
    ],
    ["a delivery that is not told", (oracle) => (oracle.reports("done"), oracle.settled())],
    ["another sum", (oracle) => oracle.ends({ paid: 1n, delivered: null }, { paid: 2n, delivered: 1n })],
  ])("%s", (_, sin) => {
    const oracle = new CardOracle();
    sin(oracle);
    expect(oracle.violations).not.toEqual([]);
  });
});
