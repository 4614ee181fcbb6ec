import { subscribe } from "valtio";
import type { PairData, RateRequest } from "#contract/rate.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import type { RatesListener } from "../../../shared/http/socket.ts";
import { rateLockMs, type CodedFailure, readRateFailure } from "../model/rate-failure.ts";
import { answersRequest, rateRequest, requestKey, settingsOf } from "./selectors.ts";
import type { Catalogue, ExchangeState } from "./state.ts";

/** What live rates come from: the socket, and the rate call when it is silent. */
type RateSources = {
  loadRate: (request: RateRequest, signal: AbortSignal) => Promise<PairData>;
  openSocket: (listener: RatesListener) => { connect(): void; request(params: RateRequest): void; close(): void };
};

type RatePace = { typingMs: number; silenceMs: number; pollMs: number; staleMs: number; renewAheadMs: number };

const PACE: RatePace = { typingMs: 250, silenceMs: 1_500, pollMs: 10_000, staleMs: 5_000, renewAheadMs: 10_000 };

/**
 * Keeps the state's rate that of what is asked: after a pause in typing over the socket, by the rate call where the
 * socket is closed, silent or talks nonsense; a fixed quote is kept while it holds, and renewed before it ends. Gives the
 * functions that retry and stop it.
 */
export function watchRate(catalogue: Catalogue, state: ExchangeState, sources: RateSources, pace: RatePace = PACE) {
  let request: RateRequest | null = null;
  let key: string | null = null;
  let isRateLocked = false;
  let isSocketGood = false;
  let isSocketDown = false;
  let loading: AbortController | null = null;
  const timers: { ask?: Timer; load?: Timer; stale?: Timer; renew?: Timer } = {};

  const socket = sources.openSocket({
    onRate: (rate) => {
      isSocketGood = true;
      accept(rate);
    },
    onError: (error) => {
      if (request !== null && timers.ask === undefined) refuse({ code: error.status, data: error.data });
    },
    onBroken: () => {
      if (isSocketGood && request !== null) loadAfter(0);
      isSocketGood = false;
    },
    onState: (status) => {
      isSocketGood = status === "open";
      isSocketDown = status === "closed" || status === "gaveUp";
      if (!isSocketDown || request === null) return;
      loadAfter(pace.silenceMs);
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
    loadAfter(isSocketDown ? 0 : pace.silenceMs);
  }

  function loadAfter(ms: number): void {
    clearTimeout(timers.load);
    timers.load = setTimeout(() => void load(), ms);
  }

  async function load(): Promise<void> {
    if (request === null) return;
    loading?.abort();
    const call = new AbortController();
    loading = call;
    try {
      const rate = await sources.loadRate(request, call.signal);
      if (!call.signal.aborted) accept(rate);
    } catch (error) {
      if (!call.signal.aborted) refuse(codedFailure(error));
    }
    if (!call.signal.aborted && !isSocketGood) loadAfter(pace.pollMs);
  }

  function accept(rate: PairData): void {
    if (request === null || !answersRequest(rate, request)) return;
    if (isSocketGood) clearTimeout(timers.load);
    clearTimeout(timers.stale);
    delete timers.stale;
    // The market may move: what was said to be exact stays as it was.
    if (isRateLocked && state.rate.answers === key && state.rate.failureOf !== key) {
      state.rate.isLive = true;
      return;
    }
    state.rate = { data: rate, answers: key, failure: null, failureOf: null, isLive: true };
    clearTimeout(timers.renew);
    isRateLocked = rate.validUntil != null;
    if (isRateLocked) timers.renew = setTimeout(renew, Math.max(1_000, rateLockMs(rate) - pace.renewAheadMs));
  }

  function renew(): void {
    isRateLocked = false;
    ask();
  }

  function refuse(error: CodedFailure): void {
    if (isSocketGood) clearTimeout(timers.load);
    const failure = readRateFailure(error, state.rateMode);
    // By itself again: nothing is pushed for a request that the socket has answered with an error.
    if (failure.kind === "not-loaded") loadAfter(pace.pollMs);
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
    loading?.abort();
    for (const name of ["ask", "load", "stale", "renew"] as const) {
      clearTimeout(timers[name]);
      delete timers[name];
    }
    isRateLocked = false;
  }

  const unsubscribe = subscribe(state, follow);
  socket.connect();
  follow();
  return {
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
