import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { proxy } from "valtio";
import type { AccountData } from "#contract/accounts/account.ts";
import type { Order } from "#contract/order.ts";
import { account } from "../../../shared/account/account.ts";
import { forgetReferral } from "../../../shared/browser/referral.ts";
import { formOf } from "../../../shared/browser/created-orders.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import type { OrderBody } from "../model/order-body.ts";
import { whenUnblocked } from "../../../pwa/reload-block.ts";
import { ETH, sampleInstrument, sampleRate, USDT } from "../testing/samples.ts";
import { clearAttempt, saveAttempt, leaveAttempt, readAttempt } from "./attempt.ts";
import { createOrder, hasOpenAttempt } from "./create-order.ts";
import { isCreationInterrupted } from "./interrupted.ts";
import { rateRequest, rateStatus, requestKey } from "../store/selectors.ts";
import { rememberedEmail, rememberEmail } from "../store/remembered-email.ts";
import { type Catalogue, type ExchangeState, initialState } from "../store/state.ts";

const catalogue: Catalogue = { instruments: [ETH, USDT], pairs: [{ from: "eth", to: ["usdt-erc20"] }] };
const settings = {
  from: "eth",
  to: "usdt-erc20",
  amount: "0.5",
  side: "from",
  rateMode: "FLOATING",
  ref: null,
} as const;
const order = { orderId: "a".repeat(26), destinationAddress: "0xabc" } as Order;
const extras = { locale: "ru", userEmail: null };
const timeout = () => new CallError({ kind: "timeout", message: "no answer in 200 s" });

function open(): ExchangeState {
  const opening = { ...settings, firstRate: sampleRate(), firstFailure: null, isFixedRefused: false };
  const state = proxy(initialState(opening, requestKey(rateRequest(catalogue, settings))));
  state.destination.address = "0xabc";
  return state;
}

/** A server that gives its answers one after the other and remembers what it was sent. */
function fakeServer(...answers: (Order | Error)[]) {
  const sent: { body: OrderBody; key: string }[] = [];
  const send = async (body: OrderBody, key: string) => {
    sent.push({ body, key });
    const answer = answers[sent.length - 1];
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("asked too often");
    return answer;
  };
  return { sent, send };
}

beforeEach(() => {
  clearAttempt();
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => void vi.restoreAllMocks());

describe("createOrder", () => {
  it("keeps the form of the order that it made, with the amount that was typed", async () => {
    const state = open();
    Object.assign(state, { side: "to", typed: "1492.3" });
    const { send } = fakeServer(order);
    await createOrder(catalogue, state, send, extras);
    expect(formOf(order.orderId)).toBe("/exchange-eth-usdt-erc20?amount=1492.3&coin=usdt-erc20");
  });

  it("lets no new build be loaded while it is under way, however it ends", async () => {
    for (const answer of [order, timeout()]) {
      const steps: string[] = [];
      const { send } = fakeServer(answer);
      const slow = async (...sent: Parameters<typeof send>) => {
        void whenUnblocked().then(() => steps.push("reload"));
        await new Promise((turn) => setTimeout(turn));
        steps.push("answer");
        return send(...sent);
      };
      await createOrder(catalogue, open(), slow, extras);
      await whenUnblocked();
      expect(steps).toEqual(["answer", "reload"]);
    }
  });

  it("returns the order, called with all its parameters", async () => {
    const { sent, send } = fakeServer(order);
    const withEmail = { ...extras, userEmail: "ann@mail.example" };
    expect(await createOrder(catalogue, open(), send, withEmail)).toMatchObject({ order });
    expect(sent[0]).toMatchObject({
      body: {
        destinationAddress: "0xabc",
        locale: "ru",
        userEmail: "ann@mail.example",
        browserFingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(readAttempt()).toBeNull();
  });

  it("saves the attempt before it is sent, so that a reload finds it", async () => {
    const saved: boolean[] = [];
    await createOrder(
      catalogue,
      open(),
      async () => {
        saved.push(isCreationInterrupted());
        return order;
      },
      extras,
    );
    expect(saved).toEqual([true]);
    expect(isCreationInterrupted()).toBe(false);
  });

  it("sends the same key and body after a time-out, also when the rate moved or the page was reloaded meanwhile", async () => {
    const { sent, send } = fakeServer(timeout(), order);
    const state = open();
    expect(await createOrder(catalogue, state, send, extras)).toMatchObject({ failure: { kind: "outcome-unknown" } });
    expect(state.creation).toEqual({ status: "failed", failure: { kind: "outcome-unknown" } });
    expect(readAttempt()).toMatchObject({
      isLeft: false,
      returnTo: "/exchange-eth-usdt-erc20?amount=0.5&step=destination",
    });
    const reloaded = open();
    reloaded.rate.data = sampleRate({ price: "2999", amountToGet: "1499.5" });
    expect(hasOpenAttempt(catalogue, reloaded, extras)).toBe(true);
    const later = { locale: "en", userEmail: "late@mail.example" };
    expect(await createOrder(catalogue, reloaded, send, later)).toMatchObject({ order });
    expect(sent[1]).toEqual(sent[0]);
  });

  it("does not send a key that the service may have forgotten", async () => {
    const { sent, send } = fakeServer(timeout(), order);
    await createOrder(catalogue, open(), send, extras);
    const saved = readAttempt();
    if (saved !== null) saveAttempt({ ...saved, at: saved.at - 24 * 3_600_000 });
    await createOrder(catalogue, open(), send, extras);
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  it("makes another order for another address, and after a certain answer", async () => {
    const { sent, send } = fakeServer(timeout(), order, order);
    const state = open();
    await createOrder(catalogue, state, send, extras);
    state.destination.address = "0xdef";
    await createOrder(catalogue, state, send, extras);
    await createOrder(catalogue, state, send, extras);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  it("asks for an unreadable order again only when the customer does", async () => {
    const unreadable = () => new CallError({ kind: "unreadable", message: "", httpStatus: 200 });
    const { sent, send } = fakeServer(unreadable(), order);
    await createOrder(catalogue, open(), send, extras);
    expect(isCreationInterrupted()).toBe(false);
    await createOrder(catalogue, open(), send, extras);
    expect(sent[1]).toEqual(sent[0]);
  });

  it("shows the fresh rate and claims it when confirmed again", async () => {
    const fresh = sampleRate({ price: "2900", amountToGet: "1450" });
    const moved = new CallError({
      kind: "coded",
      code: "ERR_UNPROCESSABLE_ENTITY",
      message: "",
      httpStatus: 422,
      data: { rate: fresh },
    });
    const { sent, send } = fakeServer(moved, order);
    const state = open();
    await createOrder(catalogue, state, send, extras);
    expect(state.creation).toMatchObject({ failure: { kind: "rate-moved" } });
    expect(state.rate.data?.amountToGet).toBe("1450");
    expect(await createOrder(catalogue, state, send, extras)).toMatchObject({ order });
    expect(sent[1]?.body.claimedPublicRate.claimedAmountToReceive).toBe("1450");
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  it("forgets an unknown referrer and creates without it, under another key", async () => {
    document.cookie = "referralID=gone; Path=/";
    const unknown = () =>
      new CallError({
        kind: "coded",
        code: "ERR_NOT_FOUND",
        message: "referrerAffiliateId not found",
        httpStatus: 404,
      });
    const { sent, send } = fakeServer(unknown(), timeout(), order);
    const state = open();
    state.referrerId = "gone";
    await createOrder(catalogue, state, send, extras);
    expect(state.referrerId).toBeNull();
    expect(document.cookie).not.toContain("referralID");
    expect(await createOrder(catalogue, state, send, extras)).toMatchObject({ order });
    expect(sent.map(({ body }) => body.referrerId)).toEqual(["gone", null, null]);
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
    expect(sent[2]).toEqual(sent[1]);
  });

  it("counts the link of the address for a guest alone; what a guest followed stays with them (contract §9)", async () => {
    const { sent, send } = fakeServer(order, order, order);
    const create = async () => {
      const state = open();
      state.referrerId = "address";
      clearAttempt();
      await createOrder(catalogue, state, send, extras);
    };
    await create();
    account.data = { userId: 7 } as AccountData;
    await create();
    document.cookie = "referralID=guest; Path=/";
    await create();
    account.data = null;
    forgetReferral();
    expect(sent.map(({ body }) => body.referrerId)).toEqual(["address", null, "guest"]);
  });

  it("shows a refusal beside the field that can correct it", async () => {
    const state = open();
    rememberEmail("ann@mail.example");
    const refused = (code: "ERR_VALIDATION" | "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG", data: Record<string, unknown>) =>
      new CallError({ kind: "coded", code, message: "", httpStatus: 400, data });
    const { send } = fakeServer(
      refused("ERR_VALIDATION", { destinationAddress: "error_address_unpayable", userEmail: "not an email" }),
      refused("ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG", { expected: "0.4", instrument: "eth" }),
    );
    await createOrder(catalogue, state, send, extras);
    expect(state.destination.check).toEqual({ rejectedAs: "error_address_unpayable" });
    expect(rememberedEmail()).toBeNull();
    await createOrder(catalogue, state, send, extras);
    expect(rateStatus(catalogue, state)).toEqual({ kind: "too-big", expected: "0.4", slug: "eth", floatingMax: null });
  });

  it("sends the memo of a refund for a coin that has one, and no other", async () => {
    const XRP = sampleInstrument("xrp", { requiresMemo: true });
    const both: Catalogue = { ...catalogue, instruments: [ETH, USDT, XRP] };
    const { sent, send } = fakeServer(order, order);
    for (const from of ["eth", "xrp"]) {
      const state = open();
      const rate = sampleRate({ rateMode: "FIXED" });
      Object.assign(state, { from, rateMode: "FIXED", refund: { address: "r1", memo: " 77 ", check: "valid" } });
      state.rate.data = rate;
      await createOrder(both, state, send, extras);
    }
    expect(sent.map(({ body }) => body.refundAddressMemo)).toEqual([null, "77"]);
  });

  it("does not take its own fault for a refusal", async () => {
    const { send } = fakeServer(new TypeError("a fault"));
    await expect(createOrder(catalogue, open(), send, extras)).rejects.toThrow("a fault");
  });
});

describe("an attempt that the customer left", () => {
  it("is no longer asked for by itself, and keeps its key for their next press", async () => {
    const { sent, send } = fakeServer(timeout(), order);
    await createOrder(catalogue, open(), send, extras);
    leaveAttempt();
    expect(isCreationInterrupted()).toBe(false);
    await createOrder(catalogue, open(), send, extras);
    expect(sent[1]).toEqual(sent[0]);
  });
});
