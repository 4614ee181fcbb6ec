import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { proxy } from "valtio";
import type { Order } from "#contract/order.ts";
import { CallError } from "../../../lib/call-error.ts";
import type { OrderBody } from "../model/order-body.ts";
import { ETH, sampleRate, USDT } from "../model/samples.ts";
import { dropAttempt } from "./attempt.ts";
import { createOrder } from "./create-order.ts";
import { rateRequest, rateStatus, requestKey } from "./derived.ts";
import { type Catalogue, type ExchangeState, initialState } from "./state.ts";

const catalogue: Catalogue = { instruments: [ETH, USDT], pairs: [{ from: "eth", to: ["usdt-erc20"] }] };
const settings = {
  from: "eth",
  to: "usdt-erc20",
  amount: "0.5",
  side: "send",
  rateMode: "FLOATING",
  ref: null,
} as const;
const order = { orderId: "a".repeat(26), destinationAddress: "0xabc" } as Order;
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
  dropAttempt();
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => void vi.restoreAllMocks());

describe("createOrder", () => {
  it("gives the order", async () => {
    const { sent, send } = fakeServer(order);
    expect(await createOrder(catalogue, open(), send, "ru")).toBe(order);
    expect(sent[0]).toMatchObject({
      body: { destinationAddress: "0xabc", locale: "ru" },
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("sends the same key and body after a time-out, also when the rate moved or the page was reloaded meanwhile", async () => {
    const { sent, send } = fakeServer(timeout(), order);
    const state = open();
    expect(await createOrder(catalogue, state, send, "ru")).toBeNull();
    expect(state.creation).toEqual({ status: "failed", failure: { kind: "outcome-unknown" } });
    const reloaded = open();
    reloaded.rate.data = sampleRate({ price: "2999", amountToGet: "1499.5" });
    expect(await createOrder(catalogue, reloaded, send, "ru")).toBe(order);
    expect(sent[1]).toEqual(sent[0]);
  });

  it("is another order with another address, and after a certain answer", async () => {
    const { sent, send } = fakeServer(timeout(), order, order);
    const state = open();
    await createOrder(catalogue, state, send, "ru");
    state.destination.address = "0xdef";
    await createOrder(catalogue, state, send, "ru");
    await createOrder(catalogue, state, send, "ru");
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
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
    expect(await createOrder(catalogue, state, send, "ru")).toBeNull();
    expect(state.creation).toMatchObject({ failure: { kind: "rate-moved" } });
    expect(state.rate.data?.amountToGet).toBe("1450");
    expect(await createOrder(catalogue, state, send, "ru")).toBe(order);
    expect(sent[1]?.body.claimedPublicRate.claimedAmountToReceive).toBe("1450");
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  it("forgets an unknown referrer and creates without it", async () => {
    const unknown = new CallError({
      kind: "coded",
      code: "ERR_NOT_FOUND",
      message: "referrerAffiliateId not found",
      httpStatus: 404,
    });
    const { sent, send } = fakeServer(unknown, order);
    const state = open();
    state.referrerId = "gone";
    expect(await createOrder(catalogue, state, send, "ru")).toBe(order);
    expect(sent.map(({ body }) => body.referrerId)).toEqual(["gone", null]);
  });

  it("puts what was refused where it can be mended", async () => {
    const state = open();
    const refused = (code: "ERR_VALIDATION" | "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG", data: Record<string, unknown>) =>
      new CallError({ kind: "coded", code, message: "", httpStatus: 400, data });
    const { send } = fakeServer(
      refused("ERR_VALIDATION", { destinationAddress: "not an address" }),
      refused("ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG", { expected: "0.4", instrument: "eth" }),
    );
    await createOrder(catalogue, state, send, "ru");
    expect(state.destination.check).toEqual({ rejectedAs: null });
    await createOrder(catalogue, state, send, "ru");
    expect(rateStatus(catalogue, state)).toEqual({ kind: "too-big", expected: "0.4", slug: "eth" });
  });

  it("does not take its own fault for a refusal", async () => {
    const { send } = fakeServer(new TypeError("a fault"));
    await expect(createOrder(catalogue, open(), send, "ru")).rejects.toThrow("a fault");
  });
});
