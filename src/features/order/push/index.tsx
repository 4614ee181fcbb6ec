import type { ComponentType } from "react";
import { call } from "../../../shared/http/http.ts";
import { loadMessages } from "../../../shared/i18n/messages.ts";
import type { Translator } from "../../../shared/i18n/translator.ts";
import { openPush } from "../../../pwa/push.ts";
import { NoticesCard, type NoticesProps } from "./notices-card.tsx";

/** The control that switches an order's notices, with its words; null where the service sends none. */
export async function openNotices(words: Translator): Promise<ComponentType<NoticesProps> | null> {
  const { publicKey } = await call("pushKey");
  if (publicKey === null) return null;
  const [device, messages] = await Promise.all([openPush(), loadMessages(words.locale, "notices")]);
  words.add(messages);
  return ({ order }) => <NoticesCard order={order} device={device} publicKey={publicKey} />;
}
