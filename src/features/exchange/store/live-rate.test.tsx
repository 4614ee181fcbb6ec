import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { proxy, useSnapshot } from "valtio";
import type { ErrorCode } from "#contract/errors.ts";
import type { PairData, RateRequest } from "#contract/rate.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import type { RatesListener } from "../../../shared/http/rates-socket.ts";
import { ETH, sampleInstrument, sampleRate, USDT } from "../testing/samples.ts";
import { selectRateMode, setAmount, type Catalogue, type ExchangeState, initialState } from "./state.ts";
import { rateRequest, rateStatus, requestKey } from "./selectors.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { watchRate } from "./live-rate.ts";
import { noPoll } from "./poll.ts";
import { RatePoll } from "./rate-poll.tsx";

const USD = sampleInstrument("usd", { instrumentType: "fiat", precisionDecimals: 2 });
const catalogue: Catalogue = {
  instruments: [ETH, USDT, USD],
  pairs: [
    { from: "eth", to: ["usdt-erc20"] },
    { from: "usd", to: ["eth"] },
  ],
};

const settings = {
  from: "eth",
  to: "usdt-erc20",
  amount: "0.5",
  side: "from",
  rateMode: "FLOATING",
  ref: null,
} as const;

/** A calculator as its page opens, with a first rate or without. */
function open(firstRate: PairData | null = null): ExchangeState {
  const asked = { ...settings, rateMode: firstRate?.rateMode ?? settings.rateMode };
  const key = requestKey(rateRequest(catalogue, asked));
  return proxy(initialState({ ...asked, firstRate, firstFailure: null, isFixedRefused: false }, key));
}

type Load = {
  readonly request: RateRequest;
  readonly signal: AbortSignal;
  readonly answer: (rate: PairData) => void;
  readonly fail: (error: unknown) => void;
};

/** The rate calls that were made; each answers when the test says. */
const loads = vi.hoisted((): Load[] => []);
vi.mock("../../../shared/http/http.ts", () => ({
  call: (_name: "rate", { query, signal }: { query: RateRequest; signal: AbortSignal }) =>
    new Promise<PairData>((answer, fail) => loads.push({ request: query, signal, answer, fail })),
}));

/** A socket that answers when the test says, and can fail, lag and mix things up. */
function fakeSocket() {
  const asked: RateRequest[] = [];
  let listener: RatesListener | null = null;
  return {
    asked,
    socket: {
      open: () => listener?.onState?.("open"),
      close: () => listener?.onState?.("closed"),
      push: (rate: PairData) => listener?.onRate(rate),
      talkNonsense: () => listener?.onBroken?.(),
      refuse: (status: ErrorCode, data?: Record<string, unknown>) => listener?.onError({ status, message: "", data }),
    },
    openSocket: (to: RatesListener) => {
      listener = to;
      return {
        connect: () => undefined,
        request: (params: RateRequest) => void asked.push(params),
        close: () => undefined,
      };
    },
  };
}

let view: View;
let stop: () => void;

/** Live rates of a state, with the rate call as the page has it. */
async function watch(state = open()) {
  const { asked, socket, openSocket } = fakeSocket();
  const poll = proxy(noPoll());
  const live = watchRate(catalogue, state, poll, openSocket);
  const Fallback = () =>
    useSnapshot(poll).request === null ? null : <RatePoll poll={poll} onPolled={live.takePolled} />;
  stop = live.stop;
  view = await render(<Fallback />);
  return { state, asked, socket, live };
}

/** The same with a socket that is open and has been asked. */
async function watchOpened(state = open()) {
  const watched = await watch(state);
  watched.socket.open();
  await pass(0);
  return watched;
}

const rateFor = (amountToGive: string, over: Partial<PairData> = {}) => sampleRate({ amountToGive, ...over });

beforeEach(() => {
  vi.useFakeTimers();
  loads.length = 0;
});
afterEach(async () => {
  await settled(stop);
  await view.unmount();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** In steps, because what is rendered waits for the end of each. */
async function pass(ms: number): Promise<void> {
  await settled();
  for (let left = ms; left >= 0; left -= 500) await settled(() => vi.advanceTimersByTimeAsync(Math.min(left, 500)));
}

describe("watchRate", () => {
  it("asks the socket at once and takes its answers", async () => {
    const { state, socket, asked } = await watchOpened();
    expect(asked).toMatchObject([
      { claimedDepositAmount: "0.5", claimedDepositAmountCurrency: "eth", rateMode: "FLOATING" },
    ]);
    socket.push(rateFor("0.5"));
    expect(rateStatus(catalogue, state)).toBe("ready");
    await pass(60_000);
    expect(loads).toHaveLength(0);
  });

  it("has the rate of a card from the socket as every other, without a call", async () => {
    const { state, socket, asked } = await watchOpened(Object.assign(open(), { from: "usd", to: "eth", typed: "200" }));
    expect(asked).toMatchObject([{ instrumentFromSlug: "usd", exchangeType: "fiat", claimedDepositAmount: "200" }]);
    socket.push(rateFor("200", { instrumentFrom: USD, instrumentTo: ETH }));
    expect(rateStatus(catalogue, state)).toBe("ready");
    await pass(60_000);
    expect(loads).toHaveLength(0);
  });

  it("waits for a pause in typing and asks for the last amount alone", async () => {
    const { state, asked } = await watchOpened();
    for (const text of ["1", "12", "12.5"]) {
      setAmount(state, "from", text);
      await pass(100);
    }
    await pass(250);
    expect(asked.map(({ claimedDepositAmount }) => claimedDepositAmount)).toEqual(["0.5", "12.5"]);
  });

  it("ignores rates for another amount, pair or mode", async () => {
    const { state, socket } = await watchOpened();
    socket.push(rateFor("0.4"));
    socket.push(rateFor("0.5", { rateMode: "FIXED" }));
    socket.push(rateFor("0.5", { instrumentFrom: USDT, instrumentTo: ETH }));
    expect(rateStatus(catalogue, state)).toBe("loading");
  });

  it("asks for the reverse quote when the other side is typed", async () => {
    const { state, socket, asked } = await watch();
    socket.open();
    setAmount(state, "to", "1000");
    await pass(300);
    expect(asked.at(-1)).toMatchObject({ claimedDepositAmount: "1000", claimedDepositAmountCurrency: "usdt-erc20" });
    socket.push(rateFor("0.335", { amountToGet: "1000" }));
    expect(rateStatus(catalogue, state)).toBe("ready");
  });

  it("falls back to the rate call while the socket is closed or silent, and aborts what is outdated", async () => {
    const { state, socket } = await watch();
    socket.close();
    await pass(1_501);
    expect(loads).toHaveLength(1);
    setAmount(state, "from", "2");
    await pass(300);
    expect(loads[0]?.signal.aborted).toBe(true);
    loads[0]?.answer(rateFor("0.5"));
    await pass(0);
    expect(rateStatus(catalogue, state)).toBe("loading");
    loads[1]?.answer(rateFor("2"));
    await pass(0);
    expect(rateStatus(catalogue, state)).toBe("ready");
    socket.open();
    setAmount(state, "from", "3");
    await pass(300);
    expect(loads).toHaveLength(2);
    await pass(1_500);
    expect(loads).toHaveLength(3);
  });

  it("waits longer for a silent socket while the page has the rate that it came with", async () => {
    const { state } = await watch(open(rateFor("0.5")));
    await pass(4_000);
    expect(loads).toHaveLength(0);
    setAmount(state, "from", "2");
    await pass(250 + 1_501);
    expect(loads.map(({ request }) => request.claimedDepositAmount)).toEqual(["2"]);
  });

  it("makes the rate call in the end where the socket stays silent", async () => {
    await watch(open(rateFor("0.5")));
    await pass(5_001);
    expect(loads).toHaveLength(1);
  });

  it("makes the rate call every ten seconds while the socket fails to connect again", async () => {
    const { socket } = await watch();
    for (let second = 0; second < 24; second += 3) {
      socket.close();
      await pass(3_000);
      loads.at(-1)?.answer(rateFor("0.5"));
    }
    expect(loads).toHaveLength(3);
    socket.open();
    socket.push(rateFor("0.5"));
    await pass(30_000);
    expect(loads).toHaveLength(3);
  });

  it("makes no rate call while the page is hidden, and one as soon as it is seen", async () => {
    const { socket } = await watch();
    socket.close();
    await pass(1_500);
    loads[0]?.answer(rateFor("0.5"));
    const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    await pass(60_000);
    expect(loads).toHaveLength(1);
    hidden.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    await pass(0);
    expect(loads).toHaveLength(2);
  });

  it("says why there is no rate, and keeps the last one when only the network fails", async () => {
    const { state, socket } = await watchOpened();
    socket.refuse("ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", { expected: "0.7", instrument: "eth" });
    expect(rateStatus(catalogue, state)).toEqual({ kind: "too-small", expected: "0.7", slug: "eth" });
    socket.push(rateFor("0.5"));
    expect(rateStatus(catalogue, state)).toBe("ready");
    socket.close();
    await pass(1_500);
    loads.at(-1)?.fail(new CallError({ kind: "network", message: "not reached" }));
    await pass(0);
    expect(rateStatus(catalogue, state)).toBe("ready");
    expect(state.rate.isLive).toBe(false);
  });

  it("shows a load that failed, and tries again when asked", async () => {
    const { state, socket, live } = await watch();
    socket.close();
    await pass(1_501);
    loads[0]?.fail(new CallError({ kind: "timeout", message: "15 s" }));
    await pass(0);
    expect(rateStatus(catalogue, state)).toEqual({ kind: "not-loaded" });
    live.retry();
    expect(rateStatus(catalogue, state)).toBe("loading");
    await pass(1);
    loads.at(-1)?.answer(rateFor("0.5"));
    await pass(0);
    expect(rateStatus(catalogue, state)).toBe("ready");
  });

  it("takes an error of the channel for a load that failed, and tries the rate call by itself", async () => {
    const { state, socket } = await watchOpened();
    socket.refuse("ERR_SERVICE_UNAVAILABLE");
    expect(rateStatus(catalogue, state)).toEqual({ kind: "not-loaded" });
    await pass(10_000);
    loads.at(-1)?.fail(new CallError({ kind: "network", message: "not reached" }));
    await pass(10_000);
    expect(loads).toHaveLength(2);
    loads.at(-1)?.answer(rateFor("0.5"));
    await pass(0);
    expect(rateStatus(catalogue, state)).toBe("ready");
    await pass(60_000);
    expect(loads).toHaveLength(2);
  });

  it("uses the rate call while the socket sends unreadable messages, once in ten seconds, and not after they are readable again", async () => {
    const { state, socket } = await watchOpened();
    socket.push(rateFor("0.5"));
    for (let second = 0; second < 15; second += 1) {
      socket.talkNonsense();
      await pass(1_000);
      loads.at(-1)?.answer(rateFor("0.5", { price: "2900" }));
    }
    expect(loads).toHaveLength(2);
    expect(state.rate).toMatchObject({ isLive: true, data: { price: "2900" } });
    socket.push(rateFor("0.5"));
    await pass(60_000);
    expect(loads).toHaveLength(2);
  });

  it("calls a rate live no longer when the socket is gone and the rate call gives no answer", async () => {
    const { state, socket } = await watchOpened();
    socket.push(rateFor("0.5"));
    socket.close();
    await pass(3_000);
    socket.close();
    expect(state.rate.isLive).toBe(true);
    await pass(2_000);
    expect(state.rate.isLive).toBe(false);
    expect(rateStatus(catalogue, state)).toBe("ready");
  });

  it("goes to the floating rate when a fixed one is refused", async () => {
    const { state, socket, asked } = await watch();
    socket.open();
    selectRateMode(state, "FIXED");
    await pass(0);
    socket.refuse("ERR_NOT_ACCEPTABLE");
    await pass(0);
    expect(state).toMatchObject({ rateMode: "FLOATING", isFixedRefused: true });
    expect(asked.map(({ rateMode }) => rateMode)).toEqual(["FIXED", "FLOATING"]);
  });

  it("renews the quote that the page came with in its own time, however late the first message is", async () => {
    const quote = (price: string) =>
      rateFor("0.5", {
        rateMode: "FIXED",
        price,
        updatedAt: "2026-11-21T09:00:00.000Z",
        validUntil: "2026-11-21T09:01:00.000Z",
      });
    const { state, socket, asked } = await watch(open(quote("3000")));
    socket.open();
    await pass(4_000);
    socket.push(quote("2990"));
    expect(state.rate.data?.price, "what was said to be exact").toBe("3000");
    await pass(46_000);
    expect(asked).toHaveLength(2);
    socket.push(quote("2980"));
    expect(state.rate.data?.price).toBe("2980");
  });

  it("keeps a fixed quote while it is valid, and renews it before it ends", async () => {
    const state = open();
    selectRateMode(state, "FIXED");
    const { socket, asked } = await watchOpened(state);
    const quote = (minute: number, price: string) =>
      rateFor("0.5", {
        rateMode: "FIXED",
        price,
        updatedAt: `2026-11-21T09:0${minute}:00.000Z`,
        validUntil: `2026-11-21T09:0${minute + 1}:00.000Z`,
      });
    socket.push(quote(0, "3000"));
    await pass(49_000);
    socket.push(quote(1, "2990"));
    expect(state.rate.data?.price).toBe("3000");
    expect(asked).toHaveLength(1);
    await pass(1_000);
    expect(asked).toHaveLength(2);
    socket.push(quote(2, "2980"));
    expect(state.rate.data?.price).toBe("2980");
  });

  it("drops a fixed quote when another amount is entered, or when it fails", async () => {
    const state = open();
    selectRateMode(state, "FIXED");
    const { socket } = await watchOpened(state);
    const quote = (amountToGive: string, price: string) =>
      rateFor(amountToGive, { rateMode: "FIXED", price, validUntil: "2026-11-21T09:01:00.000Z" });
    socket.push(quote("0.5", "3000"));
    setAmount(state, "from", "2");
    await pass(300);
    socket.push(quote("2", "2990"));
    expect(state.rate.data?.price).toBe("2990");
    socket.refuse("ERR_NO_LIQUIDITY_AVAILABLE");
    expect(rateStatus(catalogue, state)).toEqual({ kind: "pair-unsupported" });
    socket.push(quote("2", "2980"));
    expect(rateStatus(catalogue, state)).toBe("ready");
    expect(state.rate.data?.price).toBe("2980");
  });

  it("is silent once stopped", async () => {
    const { state, socket, asked, live } = await watch();
    live.stop();
    setAmount(state, "from", "9");
    socket.push(rateFor("9"));
    await pass(60_000);
    expect(asked).toEqual([]);
    expect(loads).toEqual([]);
    expect(state.rate.data).toBeNull();
  });
});
