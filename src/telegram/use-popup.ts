import { useEffect, useEffectEvent, useState } from "react";
import { loadTelegramClient } from "./load-client.ts";
import type { Popup } from "./popup.ts";
import { isTelegram } from "./is-telegram.ts";

/**
 * Asks in Telegram's own popup while there is a question, and hands over the id of the button that was pressed; null for none. True while our own
 * dialog has to ask instead: on the web, and where the client doesn't.
 */
export function usePopup(question: Popup | null, onAnswer: (id: string | null) => void): boolean {
  const [refused, setRefused] = useState<string | null>(null);
  const answered = useEffectEvent(onAnswer);
  const key = question === null ? null : JSON.stringify(question);
  useEffect(() => {
    if (key === null) return setRefused(null);
    if (!isTelegram()) return undefined;
    let isOver = false;
    const put = async () => {
      const telegram = await loadTelegramClient();
      try {
        if (telegram === null) throw new Error("there is no telegram to ask");
        const id = await telegram.popUp(JSON.parse(key) as Popup);
        if (!isOver) answered(id);
      } catch (error) {
        console.debug("our own dialog asks", error);
        if (!isOver) setRefused(key);
      }
    };
    void put();
    return () => {
      isOver = true;
    };
  }, [key]);
  return key !== null && (!isTelegram() || refused === key);
}
