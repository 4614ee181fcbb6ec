import * as z from "zod/mini";

const subscriptionSchema = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  expirationTime: z.optional(z.nullable(z.number())),
});
type DeviceSubscription = z.output<typeof subscriptionSchema>;

/** What a page needs of the browser's push manager; one subscription serves all orders of a device. */
export type PushDevice = {
  /** Asks the user where the browser has not yet; only in a click handler. */
  ask(): Promise<boolean>;
  /** Null while no notifications are allowed. */
  endpoint(): Promise<string | null>;
  /** Throws where the browser's push service gives no subscription. */
  subscribe(publicKey: string): Promise<DeviceSubscription>;
  unsubscribe(): Promise<void>;
};

/** The push manager of this page's worker, which must be there. */
export async function openPush(): Promise<PushDevice> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const current = () => pushManager.getSubscription();
  return {
    ask: async () => (await Notification.requestPermission()) === "granted",
    endpoint: async () => (Notification.permission === "granted" ? ((await current())?.endpoint ?? null) : null),
    async subscribe(publicKey) {
      const applicationServerKey = bytesOf(publicKey);
      const known = await current();
      // A subscription for another key receives nothing sent with this one, and blocks a new one.
      if (known !== null && !isFor(known, applicationServerKey)) await known.unsubscribe();
      const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
      return subscriptionSchema.parse(subscription.toJSON());
    },
    unsubscribe: async () => void (await (await current())?.unsubscribe()),
  };
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return own.length === key.length && own.every((byte, index) => byte === key[index]);
}
