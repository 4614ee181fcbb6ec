import { type PushDevice, openPush } from "../../../pwa/push.ts";
import type { Locale } from "#contract/locale.ts";
import { readAccountPush, subscribeAccountPush, unsubscribeAccountPush } from "../api.ts";

/** What a browser needs to be notified of its account. */
export type Notices = { readonly device: PushDevice; readonly publicKey: string };
export type NoticesState =
  /** The service sends none. */
  | { readonly kind: "off" }
  | { readonly kind: "unsupported" }
  | { readonly kind: "ready"; readonly isOn: boolean; readonly notices: Notices };

/** Whether this browser is notified of the account: as the service says, while the browser still has that subscription. */
export async function readNotices(): Promise<NoticesState> {
  const { publicKey, endpoint } = await readAccountPush();
  if (publicKey === null) return { kind: "off" };
  if (!isPushSupported()) return { kind: "unsupported" };
  const device = await openPush();
  const isOn = endpoint !== null && (await device.endpoint()) === endpoint;
  return { kind: "ready", isOn, notices: { device, publicKey } };
}

/** iPhones have them in an installed app alone; a page without a worker has none. */
const isPushSupported = (): boolean =>
  "PushManager" in globalThis && "Notification" in globalThis && navigator.serviceWorker !== undefined;

/** Asks the person, so only from a press. */
export async function startNotices({ device, publicKey }: Notices, locale: Locale): Promise<"started" | "denied"> {
  if (!(await device.ask())) return "denied";
  const { endpoint, keys, expirationTime } = await device.subscribe(publicKey);
  await subscribeAccountPush({ endpoint, keys, expirationTime, locale });
  return "started";
}

/** The browser's own subscription stays for the orders that it is notified of. */
export async function stopNotices({ device }: Notices): Promise<"stopped"> {
  const { isEndpointUsed } = await unsubscribeAccountPush();
  if (!isEndpointUsed) await device.unsubscribe();
  return "stopped";
}
