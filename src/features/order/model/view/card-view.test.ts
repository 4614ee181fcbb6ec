import { describe, expect, it } from "vitest";
import type { OrderCard } from "#contract/card.ts";
import type { OrderEventKind } from "#contract/order.ts";
import { sampleInstrument } from "../../../../shared/testing/sample-instrument.ts";
import { at, ms, sampleOrder } from "../../testing/sample-order.ts";
import { rowStatus } from "./order-row.ts";
import { orderView } from "./order-view.ts";

const USD = sampleInstrument("usd", { currencyTitle: "USD", instrumentType: "fiat", precisionDecimals: 2 });
const ETH = sampleInstrument("eth", {});

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const SENDING: OrderEventKind[] = [...PAID, "FUNDS_WITHDRAWAL_START"];

/** An order by card after these events; `expired` where the provider has ended it before its payment. */
function cardOrder(kinds: readonly OrderEventKind[], direction: OrderCard["direction"], state: OrderCard["state"]) {
  const when = (kind: OrderEventKind) => (kinds.includes(kind) ? at(kinds.indexOf(kind)) : null);
  const isBuy = direction === "buy";
  const isOver = state === "cancelled" || state === "failed";
  return sampleOrder(kinds, {
    rateMode: "FLOATING",
    pair: isBuy ? { instrumentFrom: USD, instrumentTo: ETH } : { instrumentFrom: ETH, instrumentTo: USD },
    expiresAt: null,
    ...(isOver && { status: "expired" }),
    depositAddress: isBuy ? null : "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    redirectUrl: kinds.length > 1 || isOver ? null : "https://provider.example/buy?t=1",
    card: {
      provider: "Mercuryo",
      direction,
      state,
      reference: "m-1",
      supportUrl: "https://provider.example/help",
      steps: [
        { kind: "paid", at: when("INCOMING_FUNDS_DETECTED") },
        { kind: "checked", at: when("FUNDS_WITHDRAWAL_START") },
        { kind: "sent", at: when("WITHDRAWAL_COMPLETED") },
      ],
    },
  });
}

type Row = readonly [string, readonly OrderEventKind[], OrderCard["state"], string[], string[], string | null];

describe("an order by card", () => {
  it.each<Row>([
    ["waits for its payment", ["CREATION_END"], "opened", ["now", "next", "next"], ["card_pay"], "pay_by_card"],
    ["is checked once it is paid", PAID, "paid", ["done", "now", "next"], ["card_state"], "share"],
    ["is sent", SENDING, "sending", ["done", "done", "now"], ["card_state"], "share"],
    ["is done", [...SENDING, "WITHDRAWAL_COMPLETED"], "done", ["done", "done", "done"], ["receipt"], "new_exchange"],
    ["was cancelled", ["CREATION_END"], "cancelled", ["warning", "next", "next"], ["card_state"], "recreate"],
    ["was refused", ["CREATION_END"], "failed", ["warning", "next", "next"], ["card_state"], "recreate"],
    ["goes back", [...PAID, "REFUND_REQUESTED"], "paid", ["done", "now", "next"], ["card_state"], "share"],
    [
      "went back",
      [...PAID, "REFUND_REQUESTED", "REFUND_COMPLETED"],
      "refunded",
      ["done", "done", "done"],
      ["card_state"],
      "new_exchange",
    ],
  ])("%s", (_, kinds, state, steps, blocks, action) => {
    for (const direction of ["buy", "sell"] as const) {
      const order = cardOrder(kinds, direction, state);
      const view = orderView(order, ms(60));
      expect(view.steps.map((step) => step.state)).toEqual(steps);
      expect(view.blocks).toEqual(expect.arrayContaining([...blocks, "provider"]));
      expect(view.mainAction).toBe(action);
      // Nothing of it is confirmed by us, and the provider alone pays back.
      expect(view.blocks).not.toContain("ring");
      expect(view.actions).toEqual({ accept: false, refund: null, topUp: false });
      expect(rowStatus(order, ms(60), false).confirmations).toBeNull();
    }
  });

  it("has an address to send to where coins are sold alone", () => {
    expect(orderView(cardOrder(["CREATION_END"], "buy", "opened"), ms(60)).blocks).not.toContain("address");
    expect(orderView(cardOrder(["CREATION_END"], "sell", "opened"), ms(60)).blocks).toContain("address");
  });

  it("lists each step with its time, and none after a payment that was not made", () => {
    const done = orderView(cardOrder([...SENDING, "WITHDRAWAL_COMPLETED"], "buy", "done"), ms(60));
    expect(done.timeline).toEqual([
      { kind: "card", step: "buy_paid_done", state: "done", at: at(2) },
      { kind: "card", step: "buy_checked_done", state: "done", at: at(3) },
      { kind: "card", step: "buy_sent_done", state: "done", at: at(4) },
    ]);
  });

  it.each([
    ["buy", "failed", "card_declined", "card_declined"],
    ["sell", "failed", "card_refused", "card_declined"],
    ["buy", "cancelled", "card_ended", "card_ended"],
    ["sell", "cancelled", "card_ended", "card_ended"],
  ] as const)("a %s that %s is reported as what it is: %s", (direction, state, kind, row) => {
    const order = { ...cardOrder(["CREATION_END"], direction, state), unpaidUntil: at(86_400) };
    // The time by which it could be paid is not when it ended.
    expect(orderView(order, ms(60)).timeline).toEqual([{ kind, state: "warning", at: null }]);
    expect(rowStatus(order, ms(60), false).name).toBe(row);
  });

  it("shows on its receipt what was paid and what arrived", () => {
    const order = { ...cardOrder([...SENDING, "WITHDRAWAL_COMPLETED"], "buy", "done"), amountToGet: "0.06" };
    expect(orderView(order, ms(60)).receipt).toMatchObject({ sent: "0.5", delivered: "0.06" });
    const told = {
      ...order,
      deposits: [
        { amount: "0.4", confirmations: 0, requiredConfirmations: 0, txId: "m-1", detectedAt: at(2), isCounted: true },
      ],
    };
    expect(orderView(told, ms(60)).receipt).toMatchObject({ sent: "0.4" });
  });
});
