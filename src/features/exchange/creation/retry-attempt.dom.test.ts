import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { orderBody } from "../model/order-body.ts";
import { sampleRate } from "../testing/samples.ts";
import { type Attempt, clearAttempt, saveAttempt, readAttempt } from "./attempt.ts";
import { retryAttempt } from "./send-attempt.ts";

const order = { orderId: "a".repeat(26), destinationAddress: "0xabc" } as Order;
const attempt: Attempt = {
  identity: "i",
  key: "k1",
  body: orderBody({
    rate: sampleRate(),
    destinationAddress: "0xabc",
    destinationAddressMemo: null,
    refundAddress: "",
    refundAddressMemo: "",
    userEmail: null,
    referrerId: "r1",
    browserFingerprint: "b1",
    locale: "en",
  }),
  returnTo: "/exchange-eth-usdt-erc20?step=destination",
  isLeft: false,
  at: Date.now(),
};
const timeout = () => new CallError({ kind: "timeout", message: "no answer in 200 s" });
const running = () =>
  new CallError({ kind: "coded", code: "ERR_PRISMA_CLIENT_KNOWN_REQUEST", message: "", httpStatus: 409 });
const refused = (httpStatus: number, code: "ERR_FORBIDDEN" | "ERR_NOT_FOUND", message = "") =>
  new CallError({ kind: "coded", code, message, httpStatus });

function pursue(...answers: (Order | Error)[]) {
  const sent: { key: string; body: unknown }[] = [];
  const abort = new AbortController();
  const onUnanswered = vi.fn();
  const outcome = retryAttempt(
    attempt,
    async (body, key) => {
      sent.push({ key, body });
      const answer = answers.shift() ?? new Error("asked too often");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    { signal: abort.signal, onUnanswered },
  );
  return { sent, abort, onUnanswered, outcome };
}

beforeEach(() => {
  vi.useFakeTimers();
  saveAttempt(attempt);
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  clearAttempt();
});

describe("retryAttempt", () => {
  it("asks with the same key and body until there is an order, and then forgets it", async () => {
    const { sent, outcome, onUnanswered } = pursue(timeout(), running(), order);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await outcome).toMatchObject({ order });
    expect(sent).toEqual(Array.from({ length: 3 }, () => ({ key: "k1", body: attempt.body })));
    expect(onUnanswered).toHaveBeenCalledTimes(2);
    expect(readAttempt()).toBeNull();
  });

  it("asks at once when the network is back", async () => {
    const { sent, outcome } = pursue(timeout(), order);
    await vi.advanceTimersByTimeAsync(10);
    globalThis.dispatchEvent(new Event("online"));
    expect(await outcome).toMatchObject({ order });
    expect(sent).toHaveLength(2);
  });

  it("never asks more seldom than every 30 s", async () => {
    const { sent, abort } = pursue(...Array.from({ length: 40 }, timeout));
    await vi.advanceTimersByTimeAsync(120_000);
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.length - before).toBe(2);
    abort.abort();
  });

  it("ends with a certain answer", async () => {
    const { outcome } = pursue(timeout(), refused(403, "ERR_FORBIDDEN", "Client data is blacklisted"));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await outcome).toMatchObject({ failure: { kind: "blacklisted" } });
    expect(readAttempt()).toBeNull();
  });

  it("goes on without a referrer that is unknown, also after the next lost answer", async () => {
    const { sent, outcome } = pursue(refused(404, "ERR_NOT_FOUND", "referrerAffiliateId"), timeout(), order);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await outcome).toMatchObject({ order });
    expect(sent.map(({ body }) => (body as { referrerId: unknown }).referrerId)).toEqual(["r1", null, null]);
    expect(sent[2]?.key).toBe(sent[1]?.key);
  });

  it("keeps the error that it ended with", async () => {
    const { outcome, abort, sent } = pursue(timeout(), order);
    await vi.advanceTimersByTimeAsync(10);
    abort.abort();
    expect(await outcome).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(1);
    expect(readAttempt()).toMatchObject({ key: "k1" });
  });
});
