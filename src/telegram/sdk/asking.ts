import type { EventName, EventPayload } from "@telegram-apps/sdk-react";
import type { Client } from "./client.ts";

/** `refused` by a client that can't, `unanswered` by one that says nothing. */
export type Answer<Payload> = { readonly payload: Payload } | "refused" | "unanswered";

type Question<Payload> = {
  /** Tells the client; false where it can't be told. */
  readonly post: () => boolean;
  /** Whether the event answers this question, where others may ask the same. */
  readonly isOurs?: (payload: Payload) => boolean;
  readonly limitMs: number;
  /** Whether the client lays something over the page: a touch that reaches the page shows that nothing lies there. */
  readonly isModal?: boolean;
};

/** Questions to the client that it answers by this event, or never. */
export function askingBy<Event extends EventName>(client: Client, event: Event) {
  const waiting = new Set<(payload: EventPayload<Event>) => void>();
  client.on(event, (payload) => {
    for (const hear of waiting) hear(payload);
  });
  return async function ask(question: Question<EventPayload<Event>>): Promise<Answer<EventPayload<Event>>> {
    const { post, isOurs = () => true, limitMs, isModal = false } = question;
    const end = new AbortController();
    try {
      return await new Promise((give) => {
        const hear = (payload: EventPayload<Event>) => {
          if (isOurs(payload)) give({ payload });
        };
        waiting.add(hear);
        end.signal.addEventListener("abort", () => waiting.delete(hear));
        // Before the client is told, since it may answer at once.
        const timer = setTimeout(() => give("unanswered"), limitMs);
        end.signal.addEventListener("abort", () => clearTimeout(timer));
        if (isModal) onTouch(() => give("unanswered"), end.signal);
        if (!post()) give("refused");
      });
    } finally {
      end.abort();
    }
  };
}

/** Calls once the page itself is touched. */
export const onTouch = (touched: () => void, signal: AbortSignal): void =>
  addEventListener("pointerdown", touched, { capture: true, signal });
