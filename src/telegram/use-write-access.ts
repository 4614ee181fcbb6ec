import { useEffect, useState } from "react";
import { proxy, useSnapshot } from "valtio";
import { useAccount } from "../shared/account/account.ts";
import { localStore, sessionStore } from "../shared/browser/storage.ts";
import { abortOnCleanup } from "../shared/page/abort-on-cleanup.ts";
import { loadTelegramClient } from "./load-client.ts";
import type { TelegramClient, WriteAccessAnswer } from "./telegram-client.ts";

/** As long as the launch, whose data is from before they agreed: the next one's says it. */
const ALLOWED_KEY = "wherry-bot-allowed";
const REFUSED_KEY = "wherry-bot-refused";

/** The users who have answered on this device. */
const answered = proxy({
  allowed: Number(sessionStore.get(ALLOWED_KEY)),
  refused: Number(localStore.get(REFUSED_KEY)),
});

type WriteAccess = {
  /** `open` until the user has answered; a refusal is remembered, and may be taken back. */
  readonly state: "open" | WriteAccessAnswer;
  readonly isAsking: boolean;
  /** Asks in the client's own prompt, in a click handler. */
  readonly ask: () => void;
};

/**
 * Whether the bot may write to who is signed in; null where nothing has to be asked (outside Telegram, for a guest, where it may write
 * already) or can be.
 */
export function useWriteAccess(): WriteAccess | null {
  const account = useAccount();
  const { allowed, refused } = useSnapshot(answered);
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<WriteAccessAnswer | null>(null);
  if (client?.writeAccess !== "open" || account === null || !account.isTelegramLinked) return null;
  const { userId } = account;
  // Only who has just agreed reads so.
  if (allowed === userId && answer !== "allowed") return null;
  const ask = async () => {
    if (isAsking) return;
    setAsking(true);
    const given = await client.requestWriteAccess();
    if (given !== "unanswered") remember(userId, given);
    setAnswer(given);
    setAsking(false);
  };
  return { state: answer ?? (refused === userId ? "refused" : "open"), isAsking, ask: () => void ask() };
}

function remember(userId: number, answer: "allowed" | "refused"): void {
  if (answer === "allowed") {
    localStore.remove(REFUSED_KEY);
    sessionStore.set(ALLOWED_KEY, String(userId));
  } else localStore.set(REFUSED_KEY, String(userId));
  Object.assign(answered, { [answer]: userId, ...(answer === "allowed" && { refused: 0 }) });
}

/** With what else a person leaves on the device. */
export function forgetWriteAccess(): void {
  localStore.remove(REFUSED_KEY);
  sessionStore.remove(ALLOWED_KEY);
  Object.assign(answered, { allowed: 0, refused: 0 });
}

function useClient(): TelegramClient | null {
  const [client, setClient] = useState<TelegramClient | null>(null);
  useEffect(
    () =>
      abortOnCleanup(async (signal) => {
        const loaded = await loadTelegramClient();
        if (!signal.aborted) setClient(loaded);
      }),
    [],
  );
  return client;
}
