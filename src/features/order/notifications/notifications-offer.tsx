import { type ComponentType, useEffect, useState } from "react";
import type { Order } from "#contract/order.ts";
import { useI18n } from "../../../shared/i18n/index.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { isWidget } from "../../../shared/browser/is-widget.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import type { NotificationsProps } from "./notifications-card.tsx";

/** Notices of an order on this device: nothing until it is known that the browser and the service have them. */
export function NotificationsOffer({ order }: { readonly order: Order }) {
  const i18n = useI18n();
  const [Card, setCard] = useState<ComponentType<NotificationsProps> | null>(null);
  useEffect(() => {
    // The bot tells who is inside Telegram; in the widget they would come from a site that the person never opened.
    if (!("PushManager" in globalThis) || isTelegram() || isWidget()) return undefined;
    return abortOnCleanup(async (signal) => {
      try {
        await navigator.serviceWorker.ready;
        if (signal.aborted) return;
        const { openNotifications } = await import("./notifications-card.tsx");
        const opened = await openNotifications(i18n);
        if (!signal.aborted && opened !== null) setCard(() => opened);
      } catch (error) {
        // An offer that can't be made is missed by nobody.
        console.debug("notices can't be offered here", error);
      }
    });
  }, [i18n]);
  return Card && <Card order={order} />;
}
