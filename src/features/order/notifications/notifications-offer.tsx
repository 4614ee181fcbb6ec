import { type ComponentType, useEffect, useState } from "react";
import type { Order } from "#contract/order.ts";
import { useI18n } from "../../../shared/i18n/index.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import type { NotificationsProps } from "./notifications-card.tsx";

/** Notices of an order on this device: nothing until it is known that the browser and the service have them. */
export function NotificationsOffer({ order }: { readonly order: Order }) {
  const i18n = useI18n();
  const [Card, setCard] = useState<ComponentType<NotificationsProps> | null>(null);
  useEffect(() => {
    // The bot tells who is inside Telegram.
    if (!("PushManager" in globalThis) || isTelegram()) return undefined;
    let isLeft = false;
    const bring = async () => {
      await navigator.serviceWorker.ready;
      if (isLeft) return;
      const { openNotifications } = await import("./notifications-card.tsx");
      const opened = await openNotifications(i18n);
      if (!isLeft && opened !== null) setCard(() => opened);
    };
    // An offer that can't be made is missed by nobody.
    bring().catch((error: unknown) => console.debug("notices can't be offered here", error));
    return () => {
      isLeft = true;
    };
  }, [i18n]);
  return Card && <Card order={order} />;
}
