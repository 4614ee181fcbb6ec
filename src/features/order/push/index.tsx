import type { ComponentType } from "react";
import { call } from "../../../shared/http/http.ts";
import { loadMessages } from "../../../shared/i18n/messages.ts";
import { addMessages, type I18n, localeOf } from "../../../shared/i18n/create-i18n.ts";
import { openPush } from "../../../pwa/push.ts";
import { NotificationsCard, type NotificationsProps } from "./notices-card.tsx";

/** The control that switches an order's notices, with its words; null where the service sends none. */
export async function openNotifications(i18n: I18n): Promise<ComponentType<NotificationsProps> | null> {
  const { publicKey } = await call("pushKey");
  if (publicKey === null) return null;
  const [device, messages] = await Promise.all([openPush(), loadMessages(localeOf(i18n), "notices")]);
  addMessages(i18n, messages);
  return ({ order }) => <NotificationsCard order={order} device={device} publicKey={publicKey} />;
}
