import * as z from "zod/mini";
import type { Order } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import type { Locale } from "#contract/locale.ts";
import { localStore, readJson } from "../../../shared/browser/storage.ts";
import type { PushDevice } from "../../../pwa/push.ts";
import { subscribePush, unsubscribePush } from "../api.ts";

const KEY = "wherry-notices";
/** As long as the service keeps a subscription. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Which orders this device's subscription is notified of, and since when. */
const noticesSchema = z.object({ endpoint: z.string(), orders: z.record(z.string(), z.iso.datetime()) });

/** Whether this device is notified of an order: as it remembers, while the browser still has the same subscription. */
export async function isNotified(device: PushDevice, orderId: string): Promise<boolean> {
  const endpoint = await device.endpoint();
  return endpoint !== null && orderId in ordersOf(endpoint);
}

/** Begins to tell this device; asks the person, so only from a press. */
export async function startNotifications(
  device: PushDevice,
  { orderId, destinationAddress }: Order,
  publicKey: string,
  locale: Locale,
): Promise<"started" | "denied" | "failed"> {
  if (!(await device.ask())) return "denied";
  try {
    const { endpoint, keys, expirationTime } = await device.subscribe(publicKey);
    try {
      await subscribePush({ orderId, destinationAddress, endpoint, keys, expirationTime, locale });
    } catch (error) {
      // Nothing will come by it: the browser need not keep it.
      if (Object.keys(ordersOf(endpoint)).length === 0) await device.unsubscribe();
      throw error;
    }
    keep(endpoint, { ...ordersOf(endpoint), [orderId]: new Date().toISOString() });
    return "started";
  } catch (error) {
    console.warn("this device can't be told of the order", error);
    return "failed";
  }
}

/** Tells this device no more: the last order's end of it ends the browser's subscription too, unless the account is notified by it. */
export async function stopNotifications(
  device: PushDevice,
  { orderId, destinationAddress }: Order,
): Promise<"stopped" | "failed"> {
  const endpoint = await device.endpoint();
  if (endpoint === null) return "stopped";
  const { [orderId]: _ended, ...others } = ordersOf(endpoint);
  const isLast = Object.keys(others).length === 0;
  let isAccounts = false;
  try {
    const answer = await unsubscribePush({ orderId, destinationAddress, endpoint });
    isAccounts = answer.isAccountSubscribed;
  } catch (error) {
    console.warn("the service was not told that this device is to hear no more", error);
    if (!(error instanceof CallError) || !isLast) return "failed";
  }
  if (isLast && !isAccounts) await device.unsubscribe();
  keep(endpoint, others);
  return "stopped";
}

function ordersOf(endpoint: string): Record<string, string> {
  const kept = readJson(localStore, KEY, noticesSchema);
  if (kept?.endpoint !== endpoint) return {};
  const since = new Date(Date.now() - KEPT_MS).toISOString();
  return Object.fromEntries(Object.entries(kept.orders).filter(([, at]) => at >= since));
}

function keep(endpoint: string, orders: Record<string, string>): void {
  if (Object.keys(orders).length === 0) localStore.remove(KEY);
  else localStore.set(KEY, JSON.stringify({ endpoint, orders }));
}
