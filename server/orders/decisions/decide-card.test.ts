import { describe, expect, it } from "vitest";
import { toMinor } from "#contract/money.ts";
import { cardTerms } from "../../../tests/support/card/card-terms.ts";
import type { Command } from "./command.ts";
import { decide } from "./decide.ts";
import type { CardNewsCommand } from "./decide-card.ts";
import { evolve } from "./evolve.ts";
import type { OrderState } from "./order.ts";

const AT = new Date("2026-11-21T12:05:00.000Z");

const news = (state: CardNewsCommand["state"], changes: Partial<CardNewsCommand> = {}): CardNewsCommand => ({
  kind: "card_news",
  state,
  paid: null,
  delivered: null,
  txId: null,
  market: null,
  at: AT,
  ...changes,
});

const opened = (direction: "buy" | "sell" = "buy"): OrderState =>
  evolve(null, { kind: "CREATION_END", data: { terms: cardTerms(direction) }, at: AT });

/** The state after these reports, and the kinds and the wait of the last. */
function after(reports: readonly CardNewsCommand[], from: OrderState = opened()) {
  let state = from;
  let last = decide(news("opened"), state);
  for (const report of reports) {
    last = decide(report, state);
    state = last.events.reduce<OrderState>(evolve, state);
  }
  return { state, kinds: last.events.map(({ kind }) => kind), wait: last.wait };
}

const PAID = ["DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const SENDING = "FUNDS_WITHDRAWAL_START";
const DONE = "WITHDRAWAL_COMPLETED";
const REFUND = ["REFUND_REQUESTED", "REFUND_STARTED", "REFUND_COMPLETED"];

describe("what a card provider reports", () => {
  it.each([
    ["paid", ["paid"], PAID, "confirming"],
    ["sending after paid", ["paid", "sending"], [SENDING], "paying"],
    ["done after sending", ["paid", "sending", "done"], [DONE], "completed"],
    ["sending at once", ["sending"], [...PAID, SENDING], "paying"],
    ["done at once", ["done"], [...PAID, SENDING, DONE], "completed"],
    ["cancelled before it is paid", ["cancelled"], ["EXPIRED"], "expired"],
    ["failed before it is paid", ["failed"], ["EXPIRED"], "expired"],
    ["cancelled after it was paid", ["paid", "cancelled"], REFUND, "refunded"],
    ["refunded after paid", ["paid", "refunded"], REFUND, "refunded"],
    ["refunded while sending", ["sending", "refunded"], REFUND, "refunded"],
    ["refunded, of which paid was lost", ["refunded"], [...PAID, ...REFUND], "refunded"],
    ["paid twice", ["paid", "paid"], [], "confirming"],
    ["paid after sending", ["sending", "paid"], [], "paying"],
    ["opened after paid", ["paid", "opened"], [], "confirming"],
    ["sending after done", ["done", "sending"], [], "completed"],
    ["refunded after done", ["done", "refunded"], [], "completed"],
    ["done after refunded", ["refunded", "done"], [], "refunded"],
    ["cancelled after done", ["done", "cancelled"], [], "completed"],
  ] as const)("%s", (_, reports, kinds, kind) => {
    const { state, ...last } = after(reports.map((one) => news(one)));
    expect([state.kind, last]).toEqual([kind, { kinds, wait: null }]);
  });

  it.each([
    ["failed", true],
    ["cancelled", undefined],
  ] as const)("that %s before it is paid is remembered as declined: %s", (report, isDeclined) => {
    const { state } = after([news(report)]);
    expect(state.kind === "expired" && state.isDeclined).toBe(isDeclined);
  });

  it("keeps what failed after it was paid, until the provider returns it", () => {
    const failed = after([news("paid"), news("failed")]);
    expect([failed.state.kind, failed.kinds, failed.wait]).toEqual(["confirming", [], "card_failed"]);
    expect(after([news("refunded")], failed.state).state.kind).toBe("refunded");
  });

  it("never brings an ended order back, and says that it was paid late", () => {
    const late = after([news("cancelled"), news("paid")]);
    expect([late.state.kind, late.kinds, late.wait]).toEqual(["expired", [], "card_late"]);
  });
});

describe("amounts that a card provider reports", () => {
  const buy = { paid: toMinor<"from">(10_000n), delivered: toMinor<"to">(98_000_000n) };

  it.each([
    ["as quoted", buy, null],
    ["another sum from the card", { ...buy, paid: toMinor<"from">(9_999n) }, "card_amounts"],
    ["2 % less than quoted", { ...buy, delivered: toMinor<"to">(96_040_000n) }, null],
    ["less than that", { ...buy, delivered: toMinor<"to">(96_039_999n) }, "card_amounts"],
    ["more than quoted", { ...buy, delivered: toMinor<"to">(120_000_000n) }, null],
  ])("%s", (_, amounts, wait) => {
    const done = after([news("done", amounts)]);
    expect([done.state.kind, done.wait]).toEqual(["completed", wait]);
    expect(done.state.kind === "completed" && done.state.payout.amount).toBe(amounts.delivered);
    expect(done.state.deposits.map(({ amount }) => amount)).toEqual([amounts.paid]);
  });

  it("of coins may differ by the dust bound", () => {
    const paid = (amount: bigint) => after([news("paid", { paid: toMinor(amount), txId: "tx" })], opened("sell"));
    const claimed = cardTerms("sell").claimedDepositAmount;
    expect(paid((claimed * 995n) / 1000n).wait).toBeNull();
    expect(paid((claimed * 994n) / 1000n).wait).toBe("card_amounts");
    expect(paid(claimed).state.deposits).toEqual([{ key: "tx", amount: claimed }]);
  });

  it("are compared with what was really paid", () => {
    const half = { paid: toMinor<"from">(5_000n), delivered: toMinor<"to">(49_000_000n) };
    expect(after([news("done", half)]).wait).toBe("card_amounts");
    const { state } = after([news("done", half)]);
    expect(state.kind === "completed" && state.payout).toMatchObject({ received: 5_000n, amount: 49_000_000n });
  });

  it.each([
    ["a three-hundredth", 3n, 1_000n, 3n],
    ["all", 1_000n, 1_000n, 1_000n],
    ["twice as much", 2_000n, 1_000n, 1_000n],
  ])("earn the fee of what was sold, never that of what was asked for: %s", (_, times, of, share) => {
    const { claimedDepositAmount: claimed, quoted } = cardTerms("sell");
    const paid = toMinor<"from">((claimed * times) / of);
    const { state } = after(
      [news("done", { paid, delivered: toMinor((quoted.amountTo * times) / of) })],
      opened("sell"),
    );
    const platformFee = toMinor((quoted.platformFee * share) / 1_000n);
    expect(state.kind === "completed" && state.payout.platformFee).toBe(platformFee);
  });
});

describe("a card order", () => {
  const paid = after([news("paid")]).state;

  it.each([
    { kind: "stop_refund", at: AT },
    { kind: "release_refund", to: null, at: AT },
    { kind: "refund_instead", to: { address: "a", memo: null }, networkFee: toMinor(0n), at: AT },
  ] satisfies Command[])("can't be changed by $kind", (command) => {
    expect(() => decide(command, paid)).toThrow("The card provider carries this order out");
  });

  it("is moved by nothing of ours", () => {
    expect(decide({ kind: "complete_payment", txId: "tx", market: null, at: AT }, paid).events).toEqual([]);
    expect(decide({ kind: "provider_failed", partner: "mercuryo", at: AT }, paid).events).toEqual([]);
  });

  it("expires when nobody has paid it in its time", () => {
    const end = new Date(cardTerms("buy").unpaidUntil ?? AT);
    expect(decide({ kind: "expire", at: AT }, opened()).events).toEqual([]);
    expect(decide({ kind: "expire", at: end }, opened()).events).toMatchObject([{ kind: "EXPIRED" }]);
    expect(decide({ kind: "expire", at: end }, paid).events).toEqual([]);
  });
});
