import { useEffect, useEffectEvent, useRef } from "react";
import useSWR from "swr";
import type { Order } from "#contract/order.ts";
import { isOnline } from "../../shared/browser/connectivity.ts";
import { browserApi, call } from "../../shared/http/http.ts";
import type { CalculatorData } from "./load.ts";
import type { OrderBody } from "./model/order-body.ts";
import type { PolledRate, RatePoll } from "./store/poll.ts";

/** The same key makes the same order. */
export const sendOrder = (body: OrderBody, idempotencyKey: string, signal?: AbortSignal): Promise<Order> =>
  call("createOrder", { body, idempotencyKey, ...(signal && { signal }) });

/** A calculator that no page has loaded; without a pair it is the service's first one. */
export async function loadOwnCalculator(pair: Readonly<Record<string, string>> = {}): Promise<CalculatorData> {
  const { loadCalculator } = await import("./load.ts");
  return loadCalculator({ query: new URLSearchParams(pair), api: browserApi });
}

const POLL_MS = 10_000;

/** Makes the rate call at once, unless the poll is delayed, then every 10 s while the page is visible and online. */
export function useRatePoll({ request, round, isDelayed }: RatePoll, onPolled: (polled: PolledRate) => void): void {
  const running = useRef<AbortController>(null);
  const load = async (): Promise<PolledRate | null> => {
    if (request === null) return null;
    const { signal } = (running.current = new AbortController());
    try {
      return { round, rate: await call("rate", { query: request, signal }) };
    } catch (error) {
      // As an answer too, so that the poll goes on.
      return signal.aborted ? null : { round, error };
    }
  };
  const { mutate } = useSWR(request === null ? null : ["rate", request, round], load, {
    revalidateOnMount: false,
    refreshInterval: POLL_MS,
    isOnline,
    onSuccess: (polled) => {
      if (polled !== null) onPolled(polled);
    },
  });
  const begin = useEffectEvent(() => {
    if (request !== null && !isDelayed) void mutate();
  });
  useEffect(() => {
    begin();
    return () => running.current?.abort();
  }, [round]);
}
