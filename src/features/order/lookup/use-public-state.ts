import useSWR from "swr";
import type { PartnerOrderState } from "#contract/partner-api.ts";
import { readOrderState } from "../api.ts";
import { lookupErrors } from "../model/lookup-form.ts";

const REFRESH_MS = 10_000;

/** How far an order is, by its id alone; null while that isn't known, and for an id that no order can have. */
export function usePublicState(orderId: string): PartnerOrderState | null {
  const key = lookupErrors(orderId, "").orderId === null ? ["order state", orderId] : null;
  const { data } = useSWR(key, () => readOrderState(orderId), {
    refreshInterval: REFRESH_MS,
    shouldRetryOnError: false,
  });
  return data?.state ?? null;
}
