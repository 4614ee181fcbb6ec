import { describe, expect, it } from "vitest";
import { ORDER_EVENT_KINDS, type OrderEventKind } from "./order.ts";
import {
  keepsPolling,
  loadsRefundInfo,
  rateWarning,
  requiredConfirmations,
  showsRateChangeWarning,
  displayStatus,
  stepIndex,
} from "./order-progress.ts";

/** Events as they came, oldest first; the functions read them newest first, as the wire carries them. */
const came = (...kinds: OrderEventKind[]) => kinds.map((kind) => ({ kind })).toReversed();

const PAID = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"] as const;
const ENDED = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"] as const;

describe("step index", () => {
  it.each([
    ["no events", came(), 1],
    ["creation ended", came("CREATION_END"), 1],
    ["incoming funds detected", came(...PAID), 2],
    ["a second deposit registered", came(...PAID, "DEPOSIT_REGISTERED"), 2],
    ["a rate change that waits", came(...ENDED), 2],
    ["an accepted rate change", came(...ENDED, "RATE_MODE_CHANGE_ACCEPTED"), 2],
    ["payout recorded", came(...PAID, "FUNDS_WITHDRAWAL_START"), 2],
    ["withdrawal completed", came(...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"), 3],
    [
      "a stray deposit after completion",
      came(...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED", "DEPOSIT_REGISTERED"),
      3,
    ],
    ["refund requested", came(...PAID, "REFUND_REQUESTED"), 2],
    ["refund completed", came(...PAID, "REFUND_REQUESTED", "REFUND_COMPLETED"), 4],
  ] as const)("%s", (_case, events, step) => expect(stepIndex(events)).toBe(step));
});

describe("displayed status", () => {
  it("is 'res' without events", () => expect(displayStatus(came())).toBe("res"));

  it.each(ORDER_EVENT_KINDS)("is %s when it is the newest of an order without a refund", (kind) => {
    expect(displayStatus(came("CREATION_END", kind))).toBe(kind);
  });

  it("keeps a requested refund over what came later", () => {
    expect(displayStatus(came(...PAID, "REFUND_REQUESTED", "DEPOSIT_REGISTERED"))).toBe("REFUND_REQUESTED");
  });

  it("keeps a completed refund over a requested one and a later deposit", () => {
    expect(displayStatus(came(...PAID, "REFUND_REQUESTED", "REFUND_COMPLETED", "DEPOSIT_REGISTERED"))).toBe(
      "REFUND_COMPLETED",
    );
  });
});

describe("rate-change warning", () => {
  it.each([
    ["no rate change", came(...PAID), false],
    ["rate mode changed", came(...ENDED), true],
    ["changed and a further deposit", came(...ENDED, "DEPOSIT_REGISTERED"), true],
    ["refund requested", came(...ENDED, "REFUND_REQUESTED"), false],
    ["refunded", came(...ENDED, "REFUND_REQUESTED", "REFUND_COMPLETED"), false],
    ["accepted", came(...ENDED, "RATE_MODE_CHANGE_ACCEPTED"), false],
  ] as const)("%s: %s", (_case, events, expected) => expect(showsRateChangeWarning(events)).toBe(expected));
});

describe("rate warning", () => {
  it.each([
    ["FIXED_RATE_HIGH_VOLATILITY_DETECTED", 1],
    ["FIXED_RATE_SLOW_DEPOSIT_DETECTED", 2],
    ["FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED", 3],
  ] as const)("%s is cause %i until it is answered", (kind, cause) => {
    expect(rateWarning(came(...PAID, kind))).toBe(cause);
    expect(rateWarning(came(...PAID, kind, "RATE_MODE_CHANGED"))).toBe(cause);
    expect(rateWarning(came(...PAID, kind, "RATE_MODE_CHANGED", "REFUND_REQUESTED"))).toBeNull();
    expect(rateWarning(came(...PAID, kind, "RATE_MODE_CHANGED", "RATE_MODE_CHANGE_ACCEPTED"))).toBeNull();
  });

  it("is nothing without a cause", () => expect(rateWarning(came(...PAID))).toBeNull());
});

describe("required confirmations", () => {
  it.each([
    [{ currencyTitle: "XMR", networkTitle: "XMR" }, 10, 50],
    [{ currencyTitle: "XMR", networkTitle: "ETH" }, 10, 10],
    [{ currencyTitle: "USDT", networkTitle: "XMR" }, 10, 10],
    [{ currencyTitle: "ETH", networkTitle: "ETH" }, 3, 3],
  ])("%o with the order's own %i is %i", (sending, own, required) =>
    expect(requiredConfirmations(sending, own)).toBe(required),
  );
});

describe("polling", () => {
  const completed = came(...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED");
  it.each([
    ["no deposit", came("CREATION_END"), false, true],
    ["in processing", came(...PAID), false, true],
    ["refund asked", came(...PAID, "REFUND_REQUESTED"), false, true],
    ["completed", completed, false, false],
    ["refunded", came(...PAID, "REFUND_REQUESTED", "REFUND_COMPLETED"), false, false],
    ["address judged incorrect", came(...PAID), true, false],
  ] as const)("%s, incorrect %s: %s", (_case, orderEvents, incorrect, polls) =>
    expect(keepsPolling({ status: displayStatus(orderEvents), orderEvents }, incorrect)).toBe(polls),
  );

  it.each([
    ["an order that nobody paid in time", came("CREATION_END")],
    ["one whose address was never ready", came()],
  ] as const)("ends for %s, which has no event of its end (contract §3)", (_case, orderEvents) =>
    expect(keepsPolling({ status: "expired", orderEvents }, false)).toBe(false),
  );
});

describe("refund info", () => {
  it("is loaded for a fixed rate alone", () => {
    expect(loadsRefundInfo("FIXED")).toBe(true);
    expect(loadsRefundInfo("FLOATING")).toBe(false);
  });
});
