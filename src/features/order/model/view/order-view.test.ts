import { describe, expect, it } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { orderView, opensInWallet } from "./order-view.ts";
import { at, deposit, ms, sampleOrder, withdrawal } from "../../testing/sample-order.ts";
import type { Screen } from "./screen.ts";

const CREATED: OrderEventKind[] = ["CREATION_END"];
const PAID: OrderEventKind[] = [...CREATED, "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const LATE: OrderEventKind[] = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"];
const PAYING: OrderEventKind[] = [...PAID, "FUNDS_WITHDRAWAL_START"];
const DONE: OrderEventKind[] = [...PAYING, "WITHDRAWAL_COMPLETED"];
const REFUNDING: OrderEventKind[] = [...LATE, "REFUND_REQUESTED"];
const REFUNDED: OrderEventKind[] = [...REFUNDING, "REFUND_COMPLETED"];

const view = (kinds: readonly OrderEventKind[], changes: Partial<Order> = {}, seconds = 60) =>
  orderView(sampleOrder(kinds, changes), ms(seconds));
const one = { deposits: [deposit("0.5", 1)] };
const LESS: Partial<Order> = {
  deposits: [deposit("0.001", 3)],
  attention: { reason: "BELOW_MINIMUM", expected: "0.01", received: "0.001", countsFrom: null },
};
const EXPIRED: Partial<Order> = { status: "expired" };
const all = { deposits: [deposit("0.5", 3)] };

describe("which screen an order is on", () => {
  it.each<[string, ReturnType<typeof view>, Screen, string, string | null]>([
    ["nothing happened yet", view([]), "preparing", "send:now processing:next completed:next", null],
    ["created", view(CREATED), "send", "send:now processing:next completed:next", "open_wallet"],
    [
      "created, floating, an hour later",
      view(CREATED, { rateMode: "FLOATING", expiresAt: null }, 3600),
      "send",
      "send:now processing:next completed:next",
      "open_wallet",
    ],
    [
      "created, for a coin whose links open no wallet",
      view(CREATED, { depositUri: "tron:T1?amount=1" }),
      "send",
      "send:now processing:next completed:next",
      null,
    ],
    [
      "fixed, the rate lock just over",
      view(CREATED, {}, 1200),
      "rate_ended",
      "send:warning processing:next completed:next",
      "recreate",
    ],
    [
      "nobody paid",
      view(CREATED, EXPIRED, 90_000),
      "expired",
      "send:warning processing:next completed:next",
      "recreate",
    ],
    [
      "nobody paid, coins came late",
      view(CREATED, { ...EXPIRED, ...all }, 90_000),
      "expired",
      "send:warning processing:next completed:next",
      "recreate",
    ],
    [
      "fixed, a second before",
      view(CREATED, {}, 1199),
      "send",
      "send:now processing:next completed:next",
      "open_wallet",
    ],
    ["deposit seen", view(PAID, one), "processing", "send:done processing:now completed:next", "share"],
    [
      "deposit seen in time, looked at later",
      view(PAID, one, 9000),
      "processing",
      "send:done processing:now completed:next",
      "share",
    ],
    ["too little arrived", view(PAID, LESS), "attention", "send:done processing:warning completed:next", null],
    [
      "too little arrived after a new rate was accepted",
      view([...LATE, "RATE_MODE_CHANGE_ACCEPTED"], LESS),
      "attention",
      "send:done processing:warning completed:next",
      null,
    ],
    [
      "too little arrived to count",
      view(CREATED, LESS),
      "send",
      "send:now processing:next completed:next",
      "open_wallet",
    ],
    ["fixed rate ended", view(LATE, one), "choice", "send:done choice:warning completed:next", "choose"],
    [
      "new rate accepted",
      view([...LATE, "RATE_MODE_CHANGE_ACCEPTED"], all),
      "processing",
      "send:done processing:now completed:next",
      "share",
    ],
    [
      "held for a check",
      view(PAID, { ...all, review: { reason: "DEPOSIT_CHECK", needed: "OPERATOR", until: null } }),
      "processing",
      "send:done processing:now completed:next",
      null,
    ],
    ["paying out", view(PAYING, all), "processing", "send:done processing:now completed:next", "share"],
    ["paid out", view(DONE, all), "completed", "send:done processing:done completed:done", "new_exchange"],
    ["refund asked", view(REFUNDING, all), "refund", "send:done refund_asked:now refunded:next", "share"],
    ["refunded", view(REFUNDED, all), "refunded", "send:done refund_asked:done refunded:done", "new_exchange"],
  ])("%s", (_case, shown, screen, steps, action) => {
    expect(shown.screen).toBe(screen);
    expect(shown.steps.map(({ name, state }) => `${name}:${state}`).join(" ")).toBe(steps);
    expect(shown.mainAction).toBe(action);
  });
});

describe("the blocks of a phone", () => {
  it("put the memo before the address, and leave it out where there is none", () => {
    const withMemo = view(CREATED, { depositAddressMemo: "482910377" });
    expect(withMemo.blocks).toEqual([
      "reference",
      "steps",
      "rate-lock",
      "amount",
      "memo",
      "address",
      "qr",
      "get",
      "timeline",
      "summary",
      "updates",
    ]);
    expect(view(CREATED).blocks).not.toContain("memo");
  });

  it("say that a floating rate floats instead of counting down", () => {
    const floating = view(CREATED, { rateMode: "FLOATING", expiresAt: null });
    expect(floating.blocks).toContain("floating");
    expect(floating.blocks).not.toContain("rate-lock");
    expect(floating.countdown).toBeNull();
  });

  it("offer no code to scan once the rate lock is over", () => {
    const expired = view(CREATED, { depositAddressMemo: "1" }, 1300);
    expect(expired.blocks).toEqual([
      "reference",
      "steps",
      "rate_ended",
      "amount",
      "memo",
      "address",
      "timeline",
      "summary",
    ]);
    expect(expired.countdown).toBeNull();
  });

  it("show nothing to pay to once the order has expired", () => {
    const expired = view(CREATED, { ...EXPIRED, depositAddressMemo: "1" }, 90_000);
    expect(expired.blocks).toEqual(["reference", "steps", "expired", "timeline", "summary"]);
    expect(expired.countdown).toBeNull();
    expect(expired.actions).toEqual({ accept: false, refund: null, topUp: false });
  });

  it("name a sum that is outside the bounds, or too small to count", () => {
    expect(view(PAID, LESS).blocks).toEqual(["reference", "steps", "attention", "timeline", "summary", "updates"]);
    expect(view(CREATED, LESS).blocks).toContain("too_small");
    expect(view(CREATED, LESS, 1300).blocks).toContain("too_small");
    expect(view(CREATED).blocks).not.toContain("too_small");
  });

  it("name a sum that differs from the order's from its first observation on, until something is agreed on for it", () => {
    const less: Partial<Order> = { rateMode: "FLOATING", expiresAt: null, deposits: [deposit("0.001", 3)] };
    expect(view(PAID, less).blocks).toContain("other_amount");
    expect(view(PAYING, less).blocks).not.toContain("other_amount");
    const unconfirmed = view(PAID, { ...less, deposits: [deposit("0.001", 0)] });
    expect(unconfirmed.blocks).toContain("other_amount");
    expect(unconfirmed.timeline.find(({ kind }) => kind === "payout")).toMatchObject({ amount: null });
    const feesTaken = { platformFee: "1", networkFee: "1" };
    expect(view(PAID, { ...less, feesTaken }).blocks).not.toContain("other_amount");
    const crumb = view(CREATED, { ...less, deposits: [deposit("0.00001", 3)] });
    expect(crumb.timeline.find(({ kind }) => kind === "payout")).toMatchObject({ amount: "1490" });
    expect(view(PAID, all).blocks).not.toContain("other_amount");
    expect(view(PAID, { deposits: [deposit("0.2", 3), deposit("0.3", 3)] }).blocks).not.toContain("other_amount");
  });
});

describe("warnings", () => {
  it.each([
    ["FIXED_RATE_HIGH_VOLATILITY_DETECTED", 1],
    ["FIXED_RATE_SLOW_DEPOSIT_DETECTED", 2],
    ["FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED", 3],
  ] as const)("%s is cause %i", (kind, cause) => {
    const shown = view([...PAID, kind, "RATE_MODE_CHANGED"], all);
    expect(shown.warning).toBe(cause);
    expect(shown.blocks).toContain("choice");
  });

  it("end with the answer", () => expect(view(REFUNDING, all).warning).toBeNull());
});

describe("confirmations", () => {
  it.each([
    ["none without a deposit", [], 0],
    ["those of one deposit", [deposit("0.5", 2)], 2],
    ["those of the slowest deposit", [deposit("0.2", 3), deposit("0.3", 1)], 1],
    ["never more than are needed", [deposit("0.5", 90)], 3],
  ])("%s", (_case, deposits, count) => expect(view(PAID, { deposits }).confirmations).toEqual({ count, required: 3 }));

  it("are 50 for XMR on XMR", () => {
    const order = sampleOrder(PAID);
    const instrumentFrom = { ...order.pair.instrumentFrom, currencyTitle: "XMR", networkTitle: "XMR" };
    expect(orderView({ ...order, pair: { ...order.pair, instrumentFrom } }, ms(60)).confirmations.required).toBe(50);
  });
});

describe("the timeline", () => {
  const lines = (shown: ReturnType<typeof view>) =>
    shown.timeline.map(({ kind, state, at: time }) => `${kind}:${state}@${time ?? "-"}`);

  it("says what happens next before a deposit, without a time for what has none", () => {
    expect(lines(view(CREATED))).toEqual(["waiting:now@-", "confirming:next@-", "payout:next@-", "arrives:next@-"]);
  });

  it("shows each deposit with its own time and transaction, the first one first", () => {
    const late = deposit("0.3", 0, { txId: "0x2", detectedAt: at(90) });
    const shown = view(PAID, { deposits: [late, deposit("0.2", 2, { txId: "0x1", detectedAt: at(30) })] });
    expect(shown.timeline.slice(0, 2)).toMatchObject([
      { kind: "deposit", amount: "0.2", txId: "0x1", at: at(30) },
      { kind: "deposit", amount: "0.3", txId: "0x2", at: at(90) },
    ]);
    expect(lines(shown).slice(2)).toEqual(["confirming:now@-", "payout:next@-", "arrives:next@-"]);
  });

  it("ends with the order's end, after the coins that came too late", () => {
    const end = [`hold_ended:done@${at(1200)}`, "expired:warning@-"];
    expect(lines(view(CREATED, EXPIRED, 90_000))).toEqual(end);
    const late = deposit("0.5", 3, { detectedAt: at(89_000) });
    const floating = view(CREATED, { ...EXPIRED, rateMode: "FLOATING", expiresAt: null, deposits: [late] }, 90_000);
    expect(lines(floating)).toEqual(["expired:warning@-", `deposit:done@${at(89_000)}`]);
  });

  it("says when a deposit has left the chain again", () => {
    expect(view(PAID, { deposits: [] }).timeline[0]).toEqual({ kind: "deposit_gone", state: "warning", at: at(2) });
  });

  it("moves on to the payout when all is confirmed, and to the arrival when it is broadcast", () => {
    expect(lines(view(PAID, all)).slice(1)).toEqual(["confirming:done@-", "payout:now@-", "arrives:next@-"]);
    expect(lines(view(PAYING, { ...all, withdrawals: [withdrawal("1490", "payout", null)] })).slice(1)).toEqual([
      "confirming:done@-",
      `payout:now@${at(3)}`,
      "arrives:next@-",
    ]);
    expect(lines(view(PAYING, { ...all, withdrawals: [withdrawal("1490", "payout")] })).slice(1)).toEqual([
      "confirming:done@-",
      `payout:done@${at(3)}`,
      "arrives:now@-",
    ]);
  });

  it("counts no time of its own for a payment that was decided and is in review", () => {
    const review = { reason: "PAYMENTS_STOPPED", needed: "OPERATOR", until: null } as const;
    expect(lines(view(PAYING, { ...all, review })).slice(1)).toEqual([
      "confirming:done@-",
      "payout:next@-",
      "arrives:next@-",
    ]);
  });

  it("says which deposit is too small to count, whose confirmations nothing waits for", () => {
    const dust = deposit("0.0001", 0, { txId: "0x3", detectedAt: at(95), isCounted: false });
    const shown = view(PAID, { deposits: [...all.deposits, dust] });
    expect(shown.timeline.slice(0, 3)).toMatchObject([
      { kind: "deposit", isCounted: true },
      { kind: "deposit", isCounted: false },
      { kind: "confirming", state: "done" },
    ]);
  });

  it("says of a deposit in no block that it is unconfirmed, and waits for its first block", () => {
    const none = deposit("0.3", 0, { txId: "0x2", detectedAt: at(90) });
    const seen = view(PAID, { deposits: [none] }).timeline;
    expect(seen[0]).toMatchObject({ kind: "deposit", state: "done", isUnconfirmed: true });
    expect(seen[1]).toMatchObject({ kind: "confirming", state: "now", count: 0 });
    const mined = view(PAID, one).timeline;
    expect(mined[0]).toMatchObject({ kind: "deposit", state: "done", isUnconfirmed: false });
  });

  it("waits for the customer while the sum is outside the bounds", () => {
    expect(lines(view(PAID, LESS)).slice(1)).toEqual(["confirming:done@-", "attention:warning@-"]);
  });

  it("promises no payout while a confirmed sum may wait for the customer", () => {
    const less = { rateMode: "FLOATING", expiresAt: null, deposits: [deposit("0.001", 3)] } satisfies Partial<Order>;
    expect(lines(view(PAID, less)).slice(1)).toEqual(["confirming:done@-", "payout:next@-", "arrives:next@-"]);
    expect(lines(view(PAYING, less))[2]).toBe(`payout:now@${at(3)}`);
  });

  it("describes a finished order from end to end, with the sum that left and not the one that was quoted", () => {
    const shown = view(DONE, { ...all, withdrawals: [withdrawal("1489.5", "payout")] });
    expect(lines(shown)).toEqual([
      `deposit:done@${at(1)}`,
      "confirming:done@-",
      `payout:done@${at(3)}`,
      `arrives:done@${at(4)}`,
    ]);
    expect(shown.timeline[2]).toMatchObject({ amount: "1489.5" });
  });

  it("names an accepted rate and its sum", () => {
    const shown = view([...LATE, "RATE_MODE_CHANGE_ACCEPTED"], { ...all, amountToGet: "1450" });
    expect(shown.timeline[1]).toMatchObject({ kind: "accepted", amount: "1450", at: at(5) });
  });

  it("waits for the customer after a rate change", () => {
    expect(lines(view(LATE, one))).toEqual([`deposit:done@${at(1)}`, "confirming:now@-", `choice:warning@${at(4)}`]);
  });

  it("follows a refund", () => {
    expect(lines(view(REFUNDING, all)).slice(1)).toEqual([
      `refund_asked:done@${at(5)}`,
      "refund_sent:now@-",
      "refund_arrives:next@-",
    ]);
    const review = { reason: "REFUND_DELAYED", needed: "TIME", until: at(600) } as const;
    expect(lines(view(REFUNDING, { ...all, review }))).toContain("refund_sent:next@-");
    expect(lines(view(REFUNDED, { ...all, withdrawals: [withdrawal("0.4995", "refund")] })).slice(1)).toEqual([
      `refund_asked:done@${at(5)}`,
      "refund_sent:done@-",
      `refund_arrives:done@${at(6)}`,
    ]);
  });
});

describe("the receipt", () => {
  it("stands only under a finished order", () => {
    expect(view(PAYING, all).receipt).toBeNull();
    expect(view(DONE, { ...all, withdrawals: [withdrawal("1490", "payout")] }).receipt).toMatchObject({
      kind: "payout",
      delivered: "1490",
    });
    expect(view(REFUNDED, { ...all, withdrawals: [withdrawal("0.4995", "refund")] }).receipt).toMatchObject({
      kind: "refund",
      delivered: "0.4995",
    });
  });
});

it.each([
  ["bitcoin:bc1q?amount=1", true],
  ["litecoin:ltc1q?amount=1", true],
  ["monero:4A?tx_amount=1", true],
  ["ethereum:0x1@1?value=1", true],
  ["tron:T1?amount=1", false],
  ["ripple:r1?dt=1", false],
  ["web+cardano:addr1?amount=1", false],
  ["0x1", false],
  ["", false],
])("%s: %s", (uri, opens) => expect(opensInWallet(uri)).toBe(opens));
