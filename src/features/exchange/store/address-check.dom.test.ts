import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { proxy } from "valtio";
import { ETH, USDT } from "../testing/samples.ts";
import { setAddress } from "./addresses.ts";
import { swapCoins, type Catalogue, type ExchangeState, initialState } from "./state.ts";
import type { ValidateAddress } from "../../../address/address-check.ts";
import { watchAddress } from "./address-check.ts";

const catalogue: Catalogue = { instruments: [ETH, USDT], pairs: [] };

function open(): ExchangeState {
  const settings = { from: "eth", to: "usdt-erc20", amount: "1", side: "from", rateMode: "FIXED", ref: null } as const;
  return proxy(initialState({ ...settings, firstRate: null, firstFailure: null, isFixedRefused: false }, null));
}

/** A server that calls addresses beginning with 0x valid, slower for longer ones. */
function fakeServer() {
  const asked: string[] = [];
  const validate: ValidateAddress = async ({ address, currencyTitle }, signal) => {
    asked.push(`${currencyTitle} ${address}`);
    await new Promise((resolve) => setTimeout(resolve, 100 * address.length));
    signal.throwIfAborted();
    if (address === "down") throw new Error("not reached");
    return address.startsWith("0x") ? { result: true, code: null } : { result: false, code: "address_reject_iotx" };
  };
  return { asked, validate };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("watchAddress", () => {
  it("checks after a pause and reports the verdict on the last address alone", async () => {
    const state = open();
    const { asked, validate } = fakeServer();
    const follower = watchAddress(catalogue, state, "destination", validate);
    setAddress(state, "destination", "0xlong-one");
    await vi.advanceTimersByTimeAsync(400);
    expect(state.destination.check).toBe("checking");
    setAddress(state, "destination", "io1");
    await vi.advanceTimersByTimeAsync(0);
    expect(state.destination.check).toBe("unchecked");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(state.destination.check).toEqual({ rejectedAs: "address_reject_iotx" });
    expect(asked).toEqual(["USDT 0xlong-one", "USDT io1"]);
    follower.stop();
  });

  it("settles the check of what is typed now", async () => {
    const state = open();
    const { validate } = fakeServer();
    const follower = watchAddress(catalogue, state, "refund", validate);
    setAddress(state, "refund", " 0xa ");
    const settled = follower.settle();
    await vi.advanceTimersByTimeAsync(300);
    await settled;
    expect(state.refund.check).toBe("valid");
    follower.stop();
  });

  it("checks anew when the coins are swapped", async () => {
    const state = open();
    const { asked, validate } = fakeServer();
    const follower = watchAddress(catalogue, state, "destination", validate);
    setAddress(state, "destination", "0xa");
    await vi.advanceTimersByTimeAsync(2_000);
    swapCoins(state);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toEqual(["USDT 0xa", "ETH 0xa"]);
    follower.stop();
  });

  it("reports that a check can't be made, tries again by itself, and stops no order", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const state = open();
    const { validate, asked } = fakeServer();
    const follower = watchAddress(catalogue, state, "destination", (body, signal) =>
      validate({ ...body, address: asked.length < 2 ? "down" : body.address }, signal),
    );
    setAddress(state, "destination", "0xa");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(state.destination.check).toBe("failed");
    await follower.settle();
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(state.destination.check).toBe("failed");
    globalThis.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(500);
    expect(state.destination.check).toBe("valid");
    expect(asked).toHaveLength(3);
    expect(warn).toHaveBeenCalledTimes(2);
    follower.stop();
  });
});
