import { get } from "idb-keyval";
import * as z from "zod/mini";
import { pushNotificationSchema, type PushNotification } from "#contract/accounts/push.ts";
import { orderPath, stopRefundPath } from "#contract/links/order-path.ts";
import { LOCALES, localePath } from "#contract/locale.ts";

declare const self: ServiceWorkerGlobalScope;

/** The key of the orders saved on this device. */
const SAVED_ORDERS = "wherry-orders";
const savedOrderSchema = z.object({
  order: z.object({ orderId: z.string(), reference: z.string() }),
  destinationAddress: z.string(),
});
type SavedOrder = z.output<typeof savedOrderSchema>;

const notificationDataSchema = z.object({
  lang: z.enum(LOCALES),
  reference: z.string(),
  path: pushNotificationSchema.shape.path,
  stopToken: z.optional(z.string()),
});
type NotificationData = z.output<typeof notificationDataSchema>;

self.addEventListener("push", (event) => event.waitUntil(show(readNotice(event.data))));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const data = notificationDataSchema.safeParse(event.notification.data).data ?? { lang: "en", reference: "" };
  event.waitUntil(open(data));
});

function readNotice(data: PushMessageData | null): PushNotification | null {
  try {
    return pushNotificationSchema.parse(data?.json());
  } catch (error) {
    console.warn("a push notification can't be read", error);
    return null;
  }
}

/** Browsers want every push to be seen, also one that can't be read. */
const show = (notice: PushNotification | null): Promise<void> =>
  self.registration.showNotification(notice?.title ?? "Wherry", {
    icon: "/icons/icon-192.png",
    badge: "/icons/icon-48.png",
    ...(notice && {
      body: notice.body,
      lang: notice.lang,
      tag: notice.tag,
      data: { lang: notice.lang, reference: notice.reference, path: notice.path, stopToken: notice.stopToken },
    }),
  });

/**
 * Opens the account's page that a notification names, or the page that stops a refund where it is about one. Focuses the order's page where
 * one is open, else opens it by the order saved on this device; without one, opens the list of saved orders.
 */
async function open({ lang, reference, path, stopToken }: NotificationData): Promise<void> {
  if (path !== undefined) {
    await self.clients.openWindow(path);
    return;
  }
  const saved = await findSaved(reference);
  if (saved && stopToken !== undefined) {
    await self.clients.openWindow(stopRefundPath({ orderId: saved.order.orderId, token: stopToken }, lang));
    return;
  }
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = saved && pages.find(({ url }) => new URL(url).pathname.endsWith(`/order/${saved.order.orderId}`));
  if (page) await page.focus();
  else
    await self.clients.openWindow(
      saved ? orderPath(saved.order.orderId, saved.destinationAddress, lang) : localePath(lang, "/orders"),
    );
}

async function findSaved(reference: string): Promise<SavedOrder | null> {
  try {
    const saved: unknown = await get(SAVED_ORDERS);
    const readable = Array.isArray(saved) ? saved.flatMap((one) => savedOrderSchema.safeParse(one).data ?? []) : [];
    return readable.find(({ order }) => order.reference === reference) ?? null;
  } catch (error) {
    console.warn("saved orders can't be read", error);
    return null;
  }
}
