import { type ComponentType, useEffect, useState } from "react";
import type { Order } from "#contract/order.ts";
import { useI18n } from "../../../shared/i18n/index.ts";
import { loadMessages } from "../../../shared/i18n/messages.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { optional } from "../../../shared/page/optional.tsx";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { isWidget } from "../../../shared/browser/is-widget.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import type { NotificationsProps } from "./notifications-card.tsx";

/** Inside Telegram the bot writes, once it may. */
const BotMessages = optional("the bot's messages", async (i18n) => {
  const [{ BotMessagesCard }] = await Promise.all([
    import("./bot-messages-card.tsx"),
    loadMessages(i18n, ["notifications"]),
  ]);
  return BotMessagesCard;
});

/** Offers to notify the customer of an order: on this device, or by the bot inside Telegram. */
export function NotificationsOffer({ order }: { readonly order: Order }) {
  if (!useHydrated()) return null;
  return isTelegram() ? <BotMessages /> : <PushOffer order={order} />;
}

/** Notices of an order on this device: nothing until it is known that the browser and the service have them. */
function PushOffer({ order }: { readonly order: Order }) {
  const i18n = useI18n();
  const [Card, setCard] = useState<ComponentType<NotificationsProps> | null>(null);
  useEffect(() => {
    // In the widget they would come from a site that the person never opened.
    if (!("PushManager" in globalThis) || isWidget()) return undefined;
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
