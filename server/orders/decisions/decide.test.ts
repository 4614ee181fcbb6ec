import { describe, expect, it } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { toMinor, type Minor } from "#contract/money.ts";
import { fixedTerms, floatingTerms, marketAt, milliEth, second } from "../../../tests/support/orders/sample-orders.ts";
import type { Command } from "./command.ts";
import { autoRefundAt } from "./decide-settle.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { evolve } from "./evolve.ts";
import {
  decodeState,
  encodeState,
  type DomainEvent,
  type DomainEventKind,
  type OrderState,
  type OrderTerms,
} from "./order.ts";

const usdt = (amount: number): Minor<"to"> => toMinor(BigInt(Math.round(amount * 1e6)));

const created = (terms: OrderTerms): DomainEvent => ({ kind: "CREATION_END", data: { terms }, at: second(0) });
const see = (key: string, milli: number, seenAt = 10, price: number | null = 3000, standing = 0): Command => ({
  kind: "see_deposit",
  deposit: { key, amount: milliEth(milli) },
  standing: milliEth(standing),
  market: price === null ? null : marketAt(price),
  at: second(seenAt),
});
const settle = (milli: number, price = 3000, minedAt = 15): Command => ({
  kind: "settle",
  received: milliEth(milli),
  lastMinedAt: second(minedAt),
  market: marketAt(price),
  at: second(20),
});
const finish: Command = { kind: "complete_payment", txId: "0xpaid", market: marketAt(3000), at: second(30) };

function given(terms: OrderTerms, ...commands: Command[]) {
  let state: OrderState | null = evolve(null, created(terms));
  for (const command of commands) {
    for (const event of decide(command, state).events) state = evolve(state, event);
  }
  // What is stored must read back as it was: the snapshot is the state.
  if (state !== null) expect(decodeState(JSON.parse(JSON.stringify(encodeState(state))))).toEqual(state);
  return {
    state,
    when: (command: Command): Decision & { kinds: DomainEventKind[] } => {
      const decision = decide(command, state);
      return { ...decision, kinds: decision.events.map((event) => event.kind) };
    },
  };
}
const payoutIn = (decision: Decision) => {
  const event = decision.events.find((found) => found.kind === "FUNDS_WITHDRAWAL_START");
  return event?.data.payout;
};

describe("creation", () => {
  it("opens the order once", () => {
    const create: Command = { kind: "create", terms: floatingTerms, at: second(0) };
    expect(decide(create, null).events).toEqual([created(floatingTerms)]);
    expect(() => decide(create, given(floatingTerms).state)).toThrow(CodedError);
  });

  it("refuses every other command on nothing", () => {
    expect(() => decide(finish, null)).toThrow(expect.objectContaining({ code: "ERR_NOT_FOUND_E" }));
  });
});

describe("the first observation of a deposit", () => {
  it("registers it and reports incoming funds once", () => {
    expect(given(floatingTerms).when(see("a", 500)).kinds).toEqual(["DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"]);
    expect(given(floatingTerms, see("a", 500)).when(see("b", 1)).kinds).toEqual(["DEPOSIT_REGISTERED"]);
  });

  it("registers a deposit once, however often it is observed", () => {
    expect(given(floatingTerms, see("a", 500)).when(see("a", 500)).kinds).toEqual([]);
  });

  it("makes a fixed order floating after its rate lock, and not a second before", () => {
    expect(given(fixedTerms).when(see("a", 500, 1200)).kinds).toEqual([
      "DEPOSIT_REGISTERED",
      "INCOMING_FUNDS_DETECTED",
    ]);
    const late = given(fixedTerms).when(see("a", 500, 1201));
    expect(late.kinds).toEqual([
      "DEPOSIT_REGISTERED",
      "INCOMING_FUNDS_DETECTED",
      "FIXED_RATE_SLOW_DEPOSIT_DETECTED",
      "RATE_MODE_CHANGED",
    ]);
    expect(late.events.at(-1)?.data).toMatchObject({
      offer: { price: "2983", amount: usdt(1491.5), received: milliEth(500), at: second(1201) },
    });
  });

  it("keeps the fixed rate for the sum that is complete in time, not for its first part", () => {
    const crumb = given(fixedTerms, see("a", 5));
    expect(crumb.when(see("b", 495, 1200, 3000, 5)).kinds).toEqual(["DEPOSIT_REGISTERED"]);
    const late = crumb.when(see("b", 495, 1201, 3000, 5));
    expect(late.kinds).toEqual(["DEPOSIT_REGISTERED", "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"]);
    expect(late.events.at(-1)?.data).toMatchObject({ offer: { received: milliEth(500) } });
  });

  it("is closed once the sum is complete, within dust: a later deposit is none of this order", () => {
    const paid = given(fixedTerms, see("a", 498));
    expect(paid.when(see("b", 500, 20, 3000, 498)).kinds).toEqual([]);
    expect(paid.when(see("b", 500, 5000, 3000, 498)).kinds).toEqual([]);
    expect(given(fixedTerms, see("a", 497)).when(see("b", 500, 20, 3000, 497)).kinds).toEqual(["DEPOSIT_REGISTERED"]);
  });

  it("counts again when the chain has lost what completed the sum", () => {
    const lost = given(fixedTerms, see("a", 500));
    expect(lost.when(see("b", 500, 1100, 3000, 0)).kinds).toEqual(["DEPOSIT_REGISTERED"]);
    expect(lost.when(see("b", 500, 1300, 3000, 0)).kinds).toContain("FIXED_RATE_SLOW_DEPOSIT_DETECTED");
  });

  it("ignores what is too small to open, complete or prolong anything", () => {
    const tiny = { ...fixedTerms, minDeposit: milliEth(2) };
    expect(given(tiny).when(see("a", 1)).kinds).toEqual([]);
    expect(given(tiny, see("a", 497)).when(see("b", 1, 20, 3000, 497)).kinds).toEqual([]);
    expect(given(tiny).when(see("a", 2)).kinds).toContain("INCOMING_FUNDS_DETECTED");
  });

  it("never calls a floating order late", () => {
    expect(given(floatingTerms).when(see("a", 500, 999_999)).kinds).not.toContain("FIXED_RATE_SLOW_DEPOSIT_DETECTED");
  });

  it("waits for a price before it judges a late deposit, because the offer needs one", () => {
    expect(given(fixedTerms).when(see("a", 500, 1201, null)).kinds).toEqual([]);
    expect(given(fixedTerms).when(see("a", 500, 10, null)).kinds).toEqual([
      "DEPOSIT_REGISTERED",
      "INCOMING_FUNDS_DETECTED",
    ]);
  });

  it("ignores a deposit that comes after the order was settled", () => {
    const paying = given(floatingTerms, see("a", 500), settle(500));
    expect(paying.when(see("b", 500)).kinds).toEqual([]);
    expect(given(floatingTerms, see("a", 500), settle(500), finish).when(see("b", 500)).kinds).toEqual([]);
  });
});

describe("an order that nobody pays", () => {
  const expire = (at: number): Command => ({ kind: "expire", at: second(at) });

  it("expires a day after its creation, or after its rate lock, and not a second before", () => {
    expect(given(floatingTerms).when(expire(86_399)).kinds).toEqual([]);
    expect(given(floatingTerms).when(expire(86_400)).kinds).toEqual(["EXPIRED"]);
    expect(given(fixedTerms).when(expire(87_599)).kinds).toEqual([]);
    expect(given(fixedTerms).when(expire(87_600)).kinds).toEqual(["EXPIRED"]);
    const { unpaidUntil: _, ...older } = fixedTerms;
    expect(given(older).when(expire(87_599)).kinds).toEqual([]);
    expect(given(older).when(expire(87_600)).kinds).toEqual(["EXPIRED"]);
  });

  it("never expires once it has a deposit", () => {
    expect(given(floatingTerms, see("a", 500)).when(expire(900_000)).kinds).toEqual([]);
  });

  it("is over: nothing that comes later counts, and nothing can be refunded or accepted", () => {
    const over = given(floatingTerms, expire(86_400));
    for (const command of [see("a", 500, 86_401), settle(500), finish, expire(90_000)])
      expect(over.when(command).kinds).toEqual([]);
    for (const command of [refund(), accept()])
      expect(() => over.when(command)).toThrow(refused("ERR_UNPROCESSABLE_ENTITY"));
  });
});

describe("settling a floating order", () => {
  it("pays what the deposit is worth when it is confirmed", () => {
    const decision = given(floatingTerms, see("a", 500)).when(settle(500, 3100));
    expect(decision.kinds).toEqual(["FUNDS_WITHDRAWAL_START"]);
    expect(payoutIn(decision)).toMatchObject({
      received: milliEth(500),
      gross: usdt(1550),
      platformFee: usdt(7.75),
      amount: usdt(1541.25),
    });
  });

  it.each([
    [9, "under_minimum"],
    [80_001, "over_maximum"],
  ] as const)("waits for the customer with %i thousandths", (milli, wait) => {
    expect(given(floatingTerms, see("a", milli)).when(settle(milli))).toMatchObject({ events: [], wait });
  });

  it("goes on once a top-up lifts the sum over the minimum", () => {
    expect(given(floatingTerms, see("a", 9), settle(9), see("b", 5)).when(settle(14)).kinds).toEqual([
      "FUNDS_WITHDRAWAL_START",
    ]);
  });

  it("settles nothing without a deposit, and nothing twice", () => {
    expect(given(floatingTerms).when(settle(500)).kinds).toEqual([]);
    expect(given(floatingTerms, see("a", 500), settle(500)).when(settle(500)).kinds).toEqual([]);
  });
});

describe("settling a fixed order", () => {
  it("pays the quoted sum whatever the market did inside its bound", () => {
    const decision = given(fixedTerms, see("a", 500)).when(settle(500, 2910));
    expect(payoutIn(decision)?.amount).toBe(usdt(1491.5));
  });

  it("absorbs a smaller change, no more than the fee, for a deposit that was in no block when the rate lock ended", () => {
    const order = given(fixedTerms, see("a", 500));
    expect(order.when(settle(500, 2970, 1201)).kinds).toEqual(["FUNDS_WITHDRAWAL_START"]);
    expect(order.when(settle(500, 2969, 1201)).kinds).toContain("FIXED_RATE_HIGH_VOLATILITY_DETECTED");
    expect(order.when(settle(500, 2969, 1200)).kinds).toEqual(["FUNDS_WITHDRAWAL_START"]);
  });

  it("pays in proportion when the deposit differs by dust", () => {
    expect(payoutIn(given(fixedTerms, see("a", 498)).when(settle(498)))?.amount).toBe(
      toMinor((1_491_500_000n * 498n) / 500n),
    );
  });

  it.each([
    ["falls over the bound", 500, 2909, ["FIXED_RATE_HIGH_VOLATILITY_DETECTED", "RATE_MODE_CHANGED"]],
    ["is a wrong amount", 497, 3000, ["FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED", "RATE_MODE_CHANGED"]],
    [
      "is both",
      600,
      2000,
      ["FIXED_RATE_HIGH_VOLATILITY_DETECTED", "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED", "RATE_MODE_CHANGED"],
    ],
  ])("becomes floating when it %s", (_, milli, price, kinds) => {
    const order = given(fixedTerms, see("a", milli));
    expect(order.when(settle(milli, price)).kinds).toEqual(kinds);
  });

  it("judges a cause once: after the change it waits for the customer", () => {
    const order = given(fixedTerms, see("a", 500), settle(500, 2000));
    expect(order.state?.kind).toBe("awaiting_choice");
    expect(order.when(settle(500, 2000))).toMatchObject({ events: [], wait: "customer_choice" });
  });
});

describe("the payout's confirmation", () => {
  it("completes the order once", () => {
    expect(given(floatingTerms, see("a", 500), settle(500)).when(finish).kinds).toEqual(["WITHDRAWAL_COMPLETED"]);
    expect(given(floatingTerms, see("a", 500), settle(500), finish).when(finish).kinds).toEqual([]);
  });

  it("keeps the prices of its time, and needs none", () => {
    const order = given(floatingTerms, see("a", 500), settle(500));
    const { fromPriceUsd, toPriceUsd } = marketAt(3000);
    expect(order.when(finish).events).toMatchObject([{ data: { market: { fromPriceUsd, toPriceUsd } } }]);
    expect(order.when({ kind: "complete_payment", txId: "0xpaid", market: null, at: second(30) }).events).toMatchObject(
      [{ data: { txId: "0xpaid" } }],
    );
  });

  it("completes only an order that is being paid", () => {
    expect(given(floatingTerms, see("a", 500)).when(finish).kinds).toEqual([]);
  });
});

const back = { address: "back", memo: null };
const elsewhere = { address: "elsewhere", memo: null };
const fee = milliEth(1);
const refund = (to = back, milli = 499, echoedFee = fee, received = 500, refundDelaySeconds = 0): Command => ({
  kind: "request_refund",
  to,
  claimed: { amount: milliEth(milli), networkFee: echoedFee },
  received: milliEth(received),
  networkFee: fee,
  refundDelaySeconds,
  at: second(40),
});
/** To an address that was not given at creation, while its owner can be notified. */
const heldRefund = refund(elsewhere, 499, fee, 500, 600);
const settleAt = (at: number): Command => ({ ...settle(500), at: second(at) });
const stop: Command = { kind: "stop_refund", at: second(50) };
const release = (to: typeof back | null): Command => ({ kind: "release_refund", to, at: second(60) });
const accept = (price = 2000, milli = 500, at = 50, isMined = true): Command => ({
  kind: "accept_rate_mode_change",
  received: milliEth(milli),
  isMined,
  market: marketAt(price),
  at: second(at),
});
const changed = [see("a", 500), settle(500, 2000)];
const refused = (code: string) => expect.objectContaining({ code });

describe("a refund to an address that was not given at creation", () => {
  const held = given(floatingTerms, see("a", 500), heldRefund);
  const stopped = given(floatingTerms, see("a", 500), heldRefund, stop);

  it("waits where its owner can be notified, and is then paid", () => {
    expect(held.when(settleAt(639)).wait).toBe("refund_delayed");
    expect(held.when(settleAt(640)).events).toMatchObject([{ data: { refund: { to: elsewhere } } }]);
    const untold = given(floatingTerms, see("a", 500), refund(elsewhere));
    expect(untold.when(settleAt(41)).kinds).toEqual(["REFUND_STARTED"]);
  });

  it("never waits where the address was given at creation", () => {
    const order = given(fixedTerms, see("a", 500), refund(back, 499, fee, 500, 600));
    expect(order.when(settleAt(41)).kinds).toEqual(["REFUND_STARTED"]);
  });

  it("is stopped once, then waits for an operator, however long", () => {
    expect(held.when(stop)).toMatchObject({ kinds: ["REFUND_STOPPED"], wait: "refund_stopped" });
    expect(stopped.when(stop)).toMatchObject({ kinds: [], wait: "refund_stopped" });
    expect(stopped.when(settleAt(1_000_000))).toMatchObject({ kinds: [], wait: "refund_stopped" });
  });

  it("goes on once an operator lets it, to the same address or to another one", () => {
    expect(held.when(release(null)).kinds).toEqual([]);
    for (const [to, paid] of [[null, elsewhere] as const, [back, back] as const]) {
      const released = given(floatingTerms, see("a", 500), heldRefund, stop, release(to));
      expect(released.when(settleAt(61)).events).toMatchObject([{ data: { refund: { to: paid } } }]);
      expect(() => released.when(stop)).toThrow(refused("ERR_UNPROCESSABLE_ENTITY"));
    }
  });

  it("waits anew where a restore may have lost that it was stopped, never for less long", () => {
    const delay = (at: number, refundDelaySeconds = 600): Command => ({
      kind: "delay_refund",
      refundDelaySeconds,
      at: second(at),
    });
    expect(held.when(delay(700)).events).toMatchObject([{ kind: "REFUND_DELAYED", data: { heldUntil: second(1300) } }]);
    expect(held.when(delay(50, 0)).events).toMatchObject([{ data: { heldUntil: second(640) } }]);
    const delayed = given(floatingTerms, see("a", 500), heldRefund, delay(700));
    expect(delayed.when(settleAt(1299)).wait).toBe("refund_delayed");
    expect(delayed.when(stop).kinds).toEqual(["REFUND_STOPPED"]);
    expect(delayed.when(settleAt(1300)).kinds).toEqual(["REFUND_STARTED"]);
    expect(stopped.when(delay(700)).kinds).toEqual([]);
    expect(given(floatingTerms, see("a", 500), refund(elsewhere)).when(delay(700)).kinds).toEqual([]);
  });

  it.each([
    ["nothing was requested", floatingTerms, [see("a", 500)]],
    ["it never waited", floatingTerms, [see("a", 500), refund(elsewhere)]],
    ["it is on its way", floatingTerms, [see("a", 500), heldRefund, settleAt(640)]],
    ["it is paid", floatingTerms, [see("a", 500), heldRefund, settleAt(640), finish]],
    ["the payout has begun", floatingTerms, [see("a", 500), settle(500)]],
  ] as const)("can't be stopped where %s", (_, terms, commands) => {
    expect(() => given(terms, ...commands).when(stop)).toThrow(refused("ERR_UNPROCESSABLE_ENTITY"));
  });
});

describe("a refund request", () => {
  it.each([
    ["while confirmations are counted", floatingTerms, [see("a", 500)]],
    ["while a choice is open", fixedTerms, changed],
    ["under the minimum", floatingTerms, [see("a", 9), settle(9)]],
  ] as const)("is taken %s", (_, terms, commands) => {
    const order = given(terms, ...commands).when(refund());
    expect(order.events).toEqual([{ kind: "REFUND_REQUESTED", data: { to: back, networkFee: fee }, at: second(40) }]);
  });

  it("refunds the confirmed deposits less the quoted fee, and ends there", () => {
    const order = given(fixedTerms, ...changed, refund());
    const started = order.when(settle(500));
    expect(started.events).toMatchObject([
      {
        kind: "REFUND_STARTED",
        data: { refund: { to: back, received: milliEth(500), amount: milliEth(499), networkFee: fee } },
      },
    ]);
    const refunding = given(fixedTerms, ...changed, refund(), settle(500));
    expect(refunding.when(finish).kinds).toEqual(["REFUND_COMPLETED"]);
    const done = given(fixedTerms, ...changed, refund(), settle(500), finish);
    for (const command of [finish, settle(500), see("b", 500)]) expect(done.when(command).kinds).toEqual([]);
  });

  it("includes a top-up that arrives before the refund is sent", () => {
    const order = given(fixedTerms, ...changed, refund(), see("b", 100));
    expect(order.when(settle(600)).events).toMatchObject([{ data: { refund: { amount: milliEth(599) } } }]);
  });

  it("waits when the confirmed sum does not cover the fee", () => {
    expect(given(fixedTerms, ...changed, refund()).when(settle(1))).toMatchObject({
      events: [],
      wait: "refund_too_small",
    });
  });

  it("decides nothing when it is repeated, and refuses another address", () => {
    const order = given(floatingTerms, see("a", 500), refund(elsewhere));
    expect(order.when(refund(elsewhere)).kinds).toEqual([]);
    expect(() => order.when(refund(back))).toThrow(refused("ERR_UNPROCESSABLE_ENTITY"));
  });

  it("never replaces the address that was set at creation", () => {
    expect(() => given(fixedTerms, ...changed).when(refund(elsewhere))).toThrow(refused("ERR_UNPROCESSABLE_ENTITY"));
    expect(given(floatingTerms, see("a", 500)).when(refund(elsewhere)).kinds).toEqual(["REFUND_REQUESTED"]);
  });

  it("refuses the destination as the refund address", () => {
    const toDestination = refund({ address: "to", memo: null });
    expect(() => given(floatingTerms, see("a", 500)).when(toDestination)).toThrow(refused("ERR_VALIDATION"));
  });

  it.each([
    ["amount", refund(back, 488), refund(back, 490)],
    ["fee", refund(back, 499, milliEth(2)), refund(back, 499, toMinor(1_019n * 10n ** 12n))],
  ])("compares the claimed %s with the quoted one, within two percent", (_, wrong, right) => {
    expect(() => given(fixedTerms, ...changed).when(wrong)).toThrow(
      expect.objectContaining({
        code: "ERR_UNPROCESSABLE_ENTITY",
        data: { refundAmountWithoutNetworkFee: "0.499", networkFee: "0.001" },
      }),
    );
    expect(given(fixedTerms, ...changed).when(right).events[0]?.data).toEqual({ to: back, networkFee: fee });
  });

  it.each([
    ["before a deposit", fixedTerms, []],
    ["once the payout has begun", floatingTerms, [see("a", 500), settle(500)]],
    ["after completion", floatingTerms, [see("a", 500), settle(500), finish]],
    ["after the new rate was accepted", fixedTerms, [...changed, accept()]],
  ] as const)("is refused %s", (_, terms, commands) => {
    expect(() => given(terms, ...commands).when(refund())).toThrow(refused("ERR_UNPROCESSABLE_ENTITY"));
  });
});

describe("accepting the new rate", () => {
  it("is bound to the offer on record and pays it as offered", () => {
    const order = given(fixedTerms, ...changed);
    expect(order.when(accept(2000)).kinds).toEqual(["RATE_MODE_CHANGE_ACCEPTED"]);
    const accepted = given(fixedTerms, ...changed, accept(1991));
    expect(payoutIn(accepted.when(settle(500, 1500)))).toMatchObject({ amount: usdt(994), received: milliEth(500) });
  });

  it("pays the better price where the market has moved in the customer's favour", () => {
    const accepted = given(fixedTerms, ...changed, accept(2100));
    expect(payoutIn(accepted.when(settle(500, 1500)))).toMatchObject({ amount: usdt(1043.75) });
  });

  it("makes a fresh offer instead when the market has fallen by more than half a percent", () => {
    const order = given(fixedTerms, ...changed).when(accept(1989));
    expect(order.kinds).toEqual(["RATE_MODE_CHANGED"]);
    expect(order.events[0]?.data).toMatchObject({ offer: { at: second(50), validUntil: second(650) } });
    const renewed = given(fixedTerms, ...changed, accept(1950));
    expect(renewed.when(accept(1950)).kinds).toEqual(["RATE_MODE_CHANGE_ACCEPTED"]);
  });

  it("makes a fresh offer instead once the old one has ended, and not a second before", () => {
    const order = given(fixedTerms, ...changed);
    expect(order.when(accept(2000, 500, 620)).kinds).toEqual(["RATE_MODE_CHANGE_ACCEPTED"]);
    const late = order.when(accept(2000, 500, 621));
    expect(late.kinds).toEqual(["RATE_MODE_CHANGED"]);
    expect(late.events[0]?.data).toMatchObject({ offer: { validUntil: second(1221) } });
  });

  it("is refused while a deposit is in no block: it could still be withdrawn", () => {
    expect(() => given(fixedTerms, ...changed).when(accept(2000, 500, 50, false))).toThrow(
      refused("ERR_UNPROCESSABLE_ENTITY"),
    );
  });

  it("decides nothing when it is repeated, also after the payout", () => {
    expect(given(fixedTerms, ...changed, accept()).when(accept()).kinds).toEqual([]);
    expect(given(fixedTerms, ...changed, accept(), settle(500), finish).when(accept()).kinds).toEqual([]);
  });

  it.each([
    ["before a deposit", fixedTerms, []],
    ["of a floating order", floatingTerms, [see("a", 500)]],
    ["of an order that never changed", fixedTerms, [see("a", 500), settle(500)]],
    ["after a refund was asked for", fixedTerms, [...changed, refund()]],
    ["after the refund", fixedTerms, [...changed, refund(), settle(500), finish]],
  ] as const)("is refused %s", (_, terms, commands) => {
    expect(() => given(terms, ...commands).when(accept())).toThrow(refused("ERR_UNPROCESSABLE_ENTITY"));
  });

  it("renews the offer when a top-up changes the sum", () => {
    const order = given(fixedTerms, ...changed, see("b", 100)).when(settle(600, 2000));
    expect(order.kinds).toEqual(["RATE_MODE_CHANGED"]);
    expect(order.events[0]?.data).toMatchObject({ offer: { received: milliEth(600) } });
  });

  it("has nothing to accept while the sum is under the minimum, until a top-up lifts it", () => {
    const small = given(fixedTerms, see("a", 5), settle(5));
    expect(small.state).toMatchObject({ kind: "awaiting_choice", offer: null });
    expect(small.when(settle(5))).toMatchObject({ events: [], wait: "under_minimum" });
    expect(() => small.when(accept(3000, 5))).toThrow(refused("ERR_UNPROCESSABLE_ENTITY"));
    const topped = given(fixedTerms, see("a", 5), settle(5), see("b", 495), settle(500));
    expect(topped.state).toMatchObject({ offer: { received: milliEth(500) } });
  });

  it("closes the set of deposits: whoever could add to it could choose between two prices", () => {
    const accepted = given(fixedTerms, ...changed, accept());
    expect(accepted.when(see("b", 250, 60, 3000, 500)).kinds).toEqual([]);
    // A reorganisation can take the deposit; what replaces it counts.
    const replaced = given(fixedTerms, ...changed, accept(), see("b", 750, 60, 3000, 0));
    expect(payoutIn(replaced.when(settle(750, 1000)))).toMatchObject({ received: milliEth(750), amount: usdt(745.25) });
    expect(replaced.when(settle(90_000, 1000))).toMatchObject({ events: [], wait: "over_maximum" });
    expect(replaced.when(refund(back, 89_999, fee, 90_000)).kinds).toEqual(["REFUND_REQUESTED"]);
  });
});

it("refuses to evolve what can't follow", () => {
  expect(() => evolve(null, { kind: "INCOMING_FUNDS_DETECTED", data: {}, at: second(0) })).toThrow();
  expect(() => evolve(given(floatingTerms).state, created(floatingTerms))).toThrow();
  expect(() =>
    evolve(given(floatingTerms).state, { kind: "WITHDRAWAL_COMPLETED", data: { txId: "x" }, at: second(0) }),
  ).toThrow();
});

describe("the time of the automatic refund", () => {
  const changed = (offer: null, at: number) =>
    evolve(evolve(null, { kind: "CREATION_END", data: { terms: fixedTerms }, at: second(0) }), {
      kind: "RATE_MODE_CHANGED",
      data: { offer },
      at: second(at),
    });

  it("restarts with the end of an offer, though the deposits are older", () => {
    const until = autoRefundAt({ lastDepositAt: second(1300), autoRefundSeconds: 60 }, changed(null, 1360));
    expect(until).toEqual(second(1420));
  });

  it("begins with the last deposit where that is later", () => {
    const until = autoRefundAt({ lastDepositAt: second(1500), autoRefundSeconds: 60 }, changed(null, 1360));
    expect(until).toEqual(second(1560));
  });

  it("begins with an offer that was accepted, since a reorganisation can leave it without its deposit", () => {
    const taken = given(fixedTerms, see("a", 500), settle(500, 2000), accept(2000));
    expect(taken.state).toMatchObject({ kind: "confirming", accepted: { at: second(20) } });
    const until = autoRefundAt({ lastDepositAt: second(10), autoRefundSeconds: 60 }, taken.state);
    expect(until).toEqual(second(80));
  });
});
