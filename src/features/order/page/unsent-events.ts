import * as z from "zod/mini";
import type { OrderTrackingEvent } from "../../../shared/analytics/track.ts";
import { localStore, readJson } from "../../../shared/browser/storage.ts";

const KEY = "wherry-told-steps";
const MAX_ORDERS = 50;

const toldSchema = z.array(z.tuple([z.string(), z.array(z.string())]));

/**
 * Those of the steps that this device has not sent for this order yet, and takes them as sent. Remembered under the order's
 * reference, which opens nothing (contract §3).
 */
export function takeUnsentEvents(reference: string, steps: readonly OrderTrackingEvent[]): OrderTrackingEvent[] {
  const all = new Map(readJson(localStore, KEY, toldSchema));
  const sent = all.get(reference) ?? [];
  const unsent = steps.filter((step) => !sent.includes(step));
  if (unsent.length === 0) return [];
  all.delete(reference);
  const newest = [...all, [reference, [...sent, ...unsent]]].slice(-MAX_ORDERS);
  localStore.set(KEY, JSON.stringify(newest));
  return unsent;
}
