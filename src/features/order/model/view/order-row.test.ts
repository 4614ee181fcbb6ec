import { describe, expect, it } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import type { SavedOrder } from "../../store.ts";
import { at, deposit, ms, sampleOrder, withdrawal } from "../../testing/sample-order.ts";
import { pairTexts } from "../amount-text.ts";
import { agreedSums } from "./promised.ts";
import { byDay, rowAge, rowStatus, rowSums } from "./order-row.ts";

const CREATED: OrderEventKind[] = ["CREATION_END"];
const PAID: OrderEventKind[] = [...CREATED, "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const ENDED: OrderEventKind[] = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"];
const one = { deposits: [deposit("0.5", 1)] };
const all = { deposits: [deposit("0.5", 3)] };
const attention = { reason: "BELOW_MINIMUM", expected: "1", received: "0.5", countsFrom: null } as const;
const review = (needed: "OPERATOR" | "TOP_UP" | "TIME") => ({ reason: "PAYMENT_CHECK" as const, needed, until: null });
const paidOut = { ...all, withdrawals: [withdrawal("1489.5", "payout")] };
const sentBack = { ...all, withdrawals: [withdrawal("0.4999", "refund")] };

describe("a row", () => {
  it.each<[string, readonly OrderEventKind[], Partial<Order>, number, string, string, string]>([
    ["nothing yet", [], {}, 60, "preparing now", "", "1490 to"],
    ["to be paid", CREATED, {}, 60, "send now", "", "1490 to"],
    ["not paid in time", CREATED, {}, 1200, "rate_ended over", "", "1490 to"],
    ["nobody paid", CREATED, { status: "expired" }, 90_000, "expired over", "", "1490 to"],
    ["in no block", PAID, { deposits: [deposit("0.5", 0)] }, 60, "unconfirmed now", "", "1490 to"],
    ["below the minimum", PAID, { ...all, attention }, 60, "attention signal", "", "1490 to"],
    ["being confirmed", PAID, one, 60, "processing now", "1 of 3", "1490 to"],
    ["held", PAID, { ...all, review: review("OPERATOR") }, 60, "held now", "", "1490 to"],
    ["held for its customer", PAID, { ...all, review: review("TOP_UP") }, 60, "attention signal", "", "1490 to"],
    [
      "going back after a pause",
      [...ENDED, "REFUND_REQUESTED"],
      { ...all, review: review("TIME") },
      60,
      "refund now",
      "",
      "1490 to",
    ],
    ["confirmed", PAID, all, 60, "processing now", "", "1490 to"],
    ["the customer's choice", ENDED, one, 60, "choice signal", "", "1490 to"],
    ["going back", [...ENDED, "REFUND_REQUESTED"], one, 60, "refund now", "", "1490 to"],
    [
      "paid out",
      [...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"],
      paidOut,
      60,
      "completed over",
      "",
      "1489.5 to",
    ],
    ["sent back", [...ENDED, "REFUND_REQUESTED", "REFUND_COMPLETED"], sentBack, 60, "refunded over", "", "0.4999 from"],
  ])("of an order %s", (_case, kinds, changes, seconds, state, confirmations, sum) => {
    const order = sampleOrder(kinds, changes);
    const status = rowStatus(order, ms(seconds), false);
    expect(`${status.name} ${status.tone}`).toBe(state);
    const { count, required } = status.confirmations ?? { count: 0, required: 0 };
    expect(status.confirmations === null ? "" : `${count} of ${required}`).toBe(confirmations);
    const { paid, paidSide } = rowSums(order, status);
    expect(`${paid} ${paidSide}`).toBe(sum);
  });

  it("of an order that is over names what was sent, not what had been agreed", () => {
    const less = { deposits: [deposit("0.4", 3)], withdrawals: [withdrawal("0.3999", "refund")] };
    const order = sampleOrder([...ENDED, "REFUND_REQUESTED", "REFUND_COMPLETED"], less);
    expect(rowSums(order, rowStatus(order, ms(60), false))).toEqual({ sent: "0.4", paid: "0.3999", paidSide: "from" });
    const open = sampleOrder(ENDED, less);
    expect(rowSums(open, rowStatus(open, ms(60), false)).sent).toBe("0.5");
  });

  it("of an order whose new rate was accepted for a different sum names what was received and what is paid", () => {
    const order = sampleOrder([...ENDED, "RATE_MODE_CHANGE_ACCEPTED"], {
      claimedDepositAmount: "0.2",
      deposits: [deposit("0.1", 1)],
      amountToGet: "310.592185",
      feesTaken: { platformFee: "1.5", networkFee: "0.5" },
    });
    expect(rowSums(order, rowStatus(order, ms(60), false))).toEqual({
      sent: "0.1",
      paid: "310.592185",
      paidSide: "to",
    });
    expect(pairTexts(order, "processing")).toEqual({ sent: "0.1\u00A0ETH", paid: "310.592185\u00A0USDT" });
    expect(agreedSums(order).price).toBe("3105.92185");
  });

  it("of a full deposit that came late names the rate that was accepted, and one in time the quoted one", () => {
    const late = { deposits: [deposit("0.5", 1)], feesTaken: { platformFee: "7", networkFee: "2" } };
    const accepted = sampleOrder([...ENDED, "RATE_MODE_CHANGE_ACCEPTED"], { ...late, amountToGet: "1470" });
    expect(agreedSums(accepted)).toEqual({ sent: "0.5", paid: "1470", price: "2940" });
    expect(agreedSums(sampleOrder(PAID, late))).toEqual({ sent: "0.5", paid: "1490", price: "2980" });
  });

  it("of an order that the service no longer knows says so", () => {
    expect(rowStatus(sampleOrder(PAID, one), ms(60), true)).toMatchObject({ name: "gone", tone: "over" });
  });

  it.each([
    ["just seen", PAID, 0, null],
    ["seen a minute ago", PAID, 60, 60],
    ["finished and seen long ago", [...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"], 9000, null],
  ] as const)("%s is old by %s s: %s", (_case, kinds, seconds, age) => {
    const order = sampleOrder(kinds, all);
    const saved: SavedOrder = { order, destinationAddress: "x", seenAt: at(60) };
    expect(rowAge(saved, rowStatus(order, ms(60), false), ms(60 + seconds))).toBe(age);
  });
});

describe("the days of a list", () => {
  const saved = (orderId: string, createdAt: string, seenAt = at(0)): SavedOrder => ({
    order: sampleOrder(CREATED, { orderId, createdAt }),
    destinationAddress: "x",
    seenAt,
  });
  const orders = [
    saved("a", "2026-11-20T12:00:00.000Z", at(9)),
    saved("b", "2026-11-21T23:30:00.000Z", at(8)),
    saved("c", "2026-11-21T08:00:00.000Z", at(7)),
  ];
  const shown = (timeZone: string) =>
    byDay(orders, timeZone).map(
      ({ day, orders: listed }) => `${day} ${listed.map(({ order }) => order.orderId).join()}`,
    );

  it("are those of the reader's zone, newest first whatever was seen last", () => {
    expect(shown("UTC")).toEqual(["2026-11-21 b,c", "2026-11-20 a"]);
    expect(shown("Asia/Tokyo")).toEqual(["2026-11-22 b", "2026-11-21 c", "2026-11-20 a"]);
  });
});
