import { subscribe } from "valtio";
import type { PairData, RateRequest } from "#contract/rate.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import type { RatesListener } from "../../../shared/http/rates-socket.ts";
import { quoteValidMs, type CodedFailure, readRateFailure } from "../model/rate-failure.ts";
import type { PolledRate, RatePoll } from "./poll.ts";
import { answersRequest, rateRequest, requestKey, settingsOf } from "./selectors.ts";
import { applyBound, type Catalogue, type ExchangeState } from "./state.ts";

/** The socket that live rates come from. */
type OpenSocket = (listener: RatesListener) => { connect(): void; request(params: RateRequest): void; close(): void };

type RatePace = { typingMs: number; silenceMs: number; staleMs: number; renewAheadMs: number };

const PACE: RatePace = { typingMs: 250, silenceMs: 1_500, staleMs: 5_000, renewAheadMs: 10_000 };

/**
 * Keeps the state's rate that of what is asked: after a pause in typing over the socket, by polling where the socket is
 * closed, silent or talks nonsense; a fixed quote is kept while it holds, and renewed before it ends. Gives the functions
 * that take a polled rate, retry and stop it.
 */
export function watchRate(
  catalogue: Catalogue,
  state: ExchangeState,
  poll: RatePoll,
  openSocket: OpenSocket,
  pace: RatePace = PACE,
) {
  let request: RateRequest | null = null;
  let key: string | null = null;
  let isRateLocked = false;
  let isSocketGood = false;
  let isSocketDown = false;
  const timers: { ask?: Timer; silence?: Timer; stale?: Timer; renew?: Timer } = {};

  const socket = openSocket({
    onRate: (rate) => {
      isSocketGood = true;
      accept(rate);
    },
    onError: (error) => {
      if (timers.ask === undefined) refuse({ code: error.status, data: error.data });
    },
    onBroken: () => {
      if (isSocketGood) startPoll({ isDelayed: false });
      isSocketGood = false;
    },
    onState: (status) => {
      isSocketGood = status === "open";
      isSocketDown = status === "closed" || status === "gaveUp";
      if (!isSocketDown) return;
      if (poll.request === null || poll.isDelayed) pollAfter(pace.silenceMs);
      timers.stale ??= setTimeout(markStale, pace.staleMs);
    },
  });

  function follow(): void {
    const next = rateRequest(catalogue, settingsOf(state));
    const nextKey = requestKey(next);
    if (nextKey === key) return;
    const isRetyped = request !== null && next !== null && request.claimedDepositAmount !== next.claimedDepositAmount;
    [request, key] = [next, nextKey];
    cancel();
    if (request !== null) timers.ask = setTimeout(ask, isRetyped ? pace.typingMs : 0);
  }

  function ask(): void {
    delete timers.ask;
    if (request === null) return;
    socket.request(request);
    // A rate that the page came with bears the wait for a slow socket: the rate call's code would double what a first load needs.
    pollAfter(isSocketDown ? 0 : isAnswered() ? pace.staleMs : pace.silenceMs);
  }

  function isAnswered(): boolean {
    return state.rate.isLive && state.rate.answers === key;
  }

  function pollAfter(ms: number): void {
    clearTimeout(timers.silence);
    timers.silence = setTimeout(() => startPoll({ isDelayed: false }), ms);
  }

  function startPoll({ isDelayed }: Pick<RatePoll, "isDelayed">): void {
    if (request !== null) Object.assign(poll, { request: { ...request }, round: poll.round + 1, isDelayed });
  }

  function stopPoll(): void {
    clearTimeout(timers.silence);
    poll.request = null;
  }

  function takePolled(polled: PolledRate): void {
    if (poll.request === null || polled.round !== poll.round) return;
    if ("rate" in polled) accept(polled.rate);
    else refuse(codedFailure(polled.error));
  }

  function accept(rate: PairData): void {
    if (request === null || !answersRequest(rate, request)) return;
    if (isSocketGood) stopPoll();
    clearTimeout(timers.stale);
    delete timers.stale;
    // The market may move: what was said to be exact stays as it was.
    if (isRateLocked && state.rate.answers === key && state.rate.failureOf !== key) {
      state.rate.isLive = true;
      return;
    }
    state.rate = { data: rate, answers: key, failure: null, failureOf: null, isLive: true };
    keepQuote(rate);
  }

  function keepQuote(rate: PairData): void {
    clearTimeout(timers.renew);
    isRateLocked = rate.validUntil != null;
    if (isRateLocked) timers.renew = setTimeout(renew, Math.max(1_000, quoteValidMs(rate) - pace.renewAheadMs));
  }

  function renew(): void {
    isRateLocked = false;
    ask();
  }

  function refuse(error: CodedFailure): void {
    if (isSocketGood) stopPoll();
    const failure = readRateFailure(error, state.rateMode);
    if (state.isDefaultAmount && "expected" in failure) return applyBound(state, failure);
    // By itself again: nothing is pushed for a request that the socket has answered with an error.
    if (failure.kind === "not-loaded" && poll.request === null) startPoll({ isDelayed: true });
    if (failure.kind === "fixed-unavailable") {
      state.isFixedRefused = true;
      state.rateMode = "FLOATING";
    } else if (failure.kind === "not-loaded" && state.rate.answers === key) markStale();
    else Object.assign(state.rate, { failure, failureOf: key });
  }

  function markStale(): void {
    state.rate.isLive = false;
  }

  function cancel(): void {
    stopPoll();
    for (const name of ["ask", "silence", "stale", "renew"] as const) {
      clearTimeout(timers[name]);
      delete timers[name];
    }
    isRateLocked = false;
  }

  const unsubscribe = subscribe(state, follow);
  socket.connect();
  follow();
  // The quote that the page came with runs out in its own time, however late the first message is.
  if (isAnswered() && state.rate.data !== null) keepQuote(state.rate.data);
  return {
    takePolled,
    retry: () => {
      if (state.rate.failureOf === key) Object.assign(state.rate, { failure: null, failureOf: null });
      renew();
    },
    stop: () => {
      unsubscribe();
      cancel();
      request = null;
      socket.close();
    },
  };
}

type Timer = ReturnType<typeof setTimeout>;

const codedFailure = (error: unknown): CodedFailure =>
  error instanceof CallError ? { code: error.code, data: error.data } : { code: null };
