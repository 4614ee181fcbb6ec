import { setImmediate as nextTurn } from "node:timers/promises";
import { CodedError } from "#contract/errors.ts";
import { RATES_EVENT, type RateRequest, type SocketMessage } from "#contract/rate.ts";
import type { BucketClient } from "../../base/concurrency/token-buckets.ts";
import type { Log } from "../../base/logging/log.ts";
import { pairNotActive } from "../errors.ts";
import type { FiatRates, Rates } from "../port.ts";

/** Who listens; `offer` takes the newest message and may drop it for a later one. `client` is whose share of questions is used. */
export type Listener = { offer(message: string): void; readonly client?: BucketClient };

export type LiveRates = {
  /** Sends the rate at once and at every change, in place of what the listener requested before. */
  subscribe(listener: Listener, request: RateRequest): void;
  leave(listener: Listener): void;
  stop(): void;
};

/** How many listeners are served before the event loop gets a turn. */
const CHUNK = 250;

/** `last` is null until a card provider has answered for the first time. */
type Topic = { request: RateRequest; listeners: Set<Listener>; last: string | null; isAsking?: boolean };

/** Sends equal requests the same message: each pair and amount is priced and encoded once per snapshot. */
export function createLiveRates(
  rates: Pick<Rates, "pairData" | "onSnapshot">,
  log: Log,
  fiat: Pick<FiatRates, "pairData"> | null = null,
): LiveRates {
  const topics = new Map<string, Topic>();
  const topicOf = new Map<Listener, string>();
  let isBroadcasting = false;
  let isStale = false;

  const leave = (listener: Listener): void => {
    const key = topicOf.get(listener);
    if (key === undefined) return;
    topicOf.delete(listener);
    const topic = topics.get(key);
    topic?.listeners.delete(listener);
    if (topic?.listeners.size === 0) topics.delete(key);
  };

  const subscribe = (listener: Listener, request: RateRequest): void => {
    leave(listener);
    const key = keyOf(request);
    let topic = topics.get(key);
    if (!topic) {
      topic = { request, listeners: new Set(), last: isFiat(request) ? null : encode(request) };
      topics.set(key, topic);
    }
    topic.listeners.add(listener);
    topicOf.set(listener, key);
    if (topic.last !== null) listener.offer(topic.last);
    else void askProvider(topic);
  };

  const encode = (request: RateRequest): string => {
    try {
      return toText({ event: RATES_EVENT, data: rates.pairData(request) });
    } catch (error) {
      if (!(error instanceof CodedError)) log.error({ err: error }, "a live rate could not be made");
      return toText({ event: RATES_EVENT, error: toChannelError(error) });
    }
  };

  /** Beside the others, which a slow provider never holds up. */
  const askProvider = async (topic: Topic): Promise<void> => {
    if (topic.isAsking === true) return;
    topic.isAsking = true;
    const { instrumentFromSlug, instrumentToSlug } = topic.request;
    const client = nextInTurn(topic.listeners)?.client ?? null;
    const asked =
      fiat?.pairData(topic.request, client) ?? Promise.reject(pairNotActive(instrumentFromSlug, instrumentToSlug));
    const message = await asked.then(
      (data) => toText({ event: RATES_EVENT, data }),
      (error: unknown) => {
        if (!(error instanceof CodedError)) log.error({ err: error }, "a live card rate could not be made");
        return toText({ event: RATES_EVENT, error: toChannelError(error) });
      },
    );
    topic.isAsking = false;
    if (message === topic.last) return;
    topic.last = message;
    for (const listener of topic.listeners) listener.offer(message);
  };

  const broadcast = async (): Promise<void> => {
    let served = 0;
    for (const topic of topics.values()) {
      // Pricing one that stays as it was takes as long as sending it.
      served += 1;
      if (served % CHUNK === 0) await nextTurn();
      if (isFiat(topic.request)) {
        void askProvider(topic);
        continue;
      }
      const message = encode(topic.request);
      if (message === topic.last) continue;
      topic.last = message;
      for (const listener of topic.listeners) {
        listener.offer(message);
        served += 1;
        if (served % CHUNK === 0) await nextTurn();
      }
    }
  };

  const onSnapshot = (): void => {
    isStale = true;
    if (isBroadcasting) return;
    isBroadcasting = true;
    void (async () => {
      try {
        while (isStale) {
          isStale = false;
          await broadcast();
        }
      } catch (error) {
        log.error({ err: error }, "live rates could not be sent");
      } finally {
        isBroadcasting = false;
      }
    })();
  };

  return { subscribe, leave, stop: rates.onSnapshot(onSnapshot) };
}

/** One after another, so that none is without rates because another one has used its share up. */
function nextInTurn(listeners: Set<Listener>): Listener | undefined {
  const [next] = listeners;
  if (next !== undefined && listeners.delete(next)) listeners.add(next);
  return next;
}

const isFiat = ({ exchangeType }: RateRequest): boolean => exchangeType === "fiat";

const toText = (message: SocketMessage): string => JSON.stringify(message);

/** A failure as the pairs channel names it: without a traceId, since nothing was requested (contract §2). */
export function toChannelError(error: unknown): Extract<SocketMessage, { error: unknown }>["error"] {
  if (!(error instanceof CodedError))
    return { status: "ERR_INTERNAL_SERVER_ERROR", message: "Something went wrong on our side" };
  return { status: error.code, message: error.message, ...(error.data && { data: error.data }) };
}

/** Who refers a customer changes no rate, so it makes no topic of its own. */
const keyOf = (request: RateRequest): string =>
  [
    request.instrumentFromSlug,
    request.instrumentToSlug,
    request.claimedDepositAmountCurrency ?? request.instrumentFromSlug,
    request.claimedDepositAmount,
    request.rateMode,
    request.exchangeType,
  ].join(" ");
