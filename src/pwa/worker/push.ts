import { get } from "idb-keyval";
import * as z from "zod/mini";
import { pushNotificationSchema, type PushNotification } from "#contract/push.ts";
import { orderPath } from "#contract/order-path.ts";
import { LOCALES, localePath } from "../../shared/i18n/locale.ts";

declare const self: ServiceWorkerGlobalScope;

/** Where the app keeps the orders that this device has seen. */
const KEPT_ORDERS = "wherry-orders";
const keptSchema = z.object({
  order: z.object({ orderId: z.string(), reference: z.string() }),
  destinationAddress: z.string(),
});
type Kept = z.output<typeof keptSchema>;

const aboutSchema = z.object({ lang: z.enum(LOCALES), reference: z.string() });
type About = z.output<typeof aboutSchema>;

self.addEventListener("push", (event) => event.waitUntil(show(readNotice(event.data))));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const about = aboutSchema.safeParse(event.notification.data).data ?? { lang: "en", reference: "" };
  event.waitUntil(open(about));
});

function readNotice(data: PushMessageData | null): PushNotification | null {
  try {
    return pushNotificationSchema.parse(data?.json());
  } catch (error) {
    console.warn("a notice can't be read", error);
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
      data: { lang: notice.lang, reference: notice.reference },
    }),
  });

/** Back to the order's page where one is open, else to a new one; its address is what this device has kept, else the list of kept orders is shown. */
async function open({ lang, reference }: About): Promise<void> {
  const kept = await findSaved(reference);
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = kept && pages.find(({ url }) => new URL(url).pathname.endsWith(`/order/${kept.order.orderId}`));
  if (shown) await shown.focus();
  else
    await self.clients.openWindow(
      kept ? orderPath(kept.order.orderId, kept.destinationAddress, lang) : localePath(lang, "/orders"),
    );
}

async function findSaved(reference: string): Promise<Kept | null> {
  try {
    const kept: unknown = await get(KEPT_ORDERS);
    const readable = Array.isArray(kept) ? kept.flatMap((one) => keptSchema.safeParse(one).data ?? []) : [];
    return readable.find(({ order }) => order.reference === reference) ?? null;
  } catch (error) {
    console.warn("kept orders can't be read", error);
    return null;
  }
}
