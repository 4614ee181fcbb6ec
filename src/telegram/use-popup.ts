import { useEffect, useEffectEvent, useState } from "react";
import { abortOnCleanup } from "../shared/page/abort-on-cleanup.ts";
import { loadTelegramClient } from "./load-client.ts";
import type { Popup } from "./popup.ts";
import { isTelegram } from "./is-telegram.ts";

/**
 * Asks in Telegram's popup while there is a question, and passes on the id of the pressed button; null for none. True
 * while the page has to ask in a dialog: on the web, and where the client doesn't ask.
 */
export function usePopup(question: Popup | null, onAnswer: (id: string | null) => void): boolean {
  const [refused, setRefused] = useState<string | null>(null);
  const answered = useEffectEvent(onAnswer);
  const key = question === null ? null : JSON.stringify(question);
  useEffect(() => {
    if (key === null) return setRefused(null);
    if (!isTelegram()) return undefined;
    return abortOnCleanup(async (signal) => {
      const client = await loadTelegramClient();
      try {
        if (client === null) throw new Error("there is no Telegram client");
        const id = await client.popUp(JSON.parse(key) as Popup);
        if (!signal.aborted) answered(id);
      } catch (error) {
        console.debug("a dialog asks instead of the popup", error);
        if (!signal.aborted) setRefused(key);
      }
    });
  }, [key]);
  return key !== null && (!isTelegram() || refused === key);
}
