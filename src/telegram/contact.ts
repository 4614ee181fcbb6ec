import { askingBy } from "./sdk/asking.ts";
import type { Client } from "./sdk/client.ts";
import type { TelegramClient } from "./telegram-client.ts";

/** spec §9 */
const STEP_MS = 50;
const LIMIT_MS = 5_000;
/** While the client asks its reader. */
const PATIENCE_MS = 60_000;

/**
 * Asks for what Telegram will have after a while: at once, then after 50 ms, 100 ms and so on (spec §9). Null when nothing came within
 * 5 s; an answer that is none, or that doesn't come in time, is asked for again.
 */
export async function pollContact(ask: (limitMs: number) => Promise<string | null>): Promise<string | null> {
  const end = Date.now() + LIMIT_MS;
  for (let pauseMs = STEP_MS; ; pauseMs += STEP_MS) {
    const contact = await ask(end - Date.now());
    if (contact !== null) return contact;
    if (Date.now() + pauseMs >= end) return null;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The reader's contact (6.9), which Telegram has a while after its reader agreed. */
export function contactOf(client: Client): Pick<TelegramClient, "requestContact"> {
  const askReader = askingBy(client, "phone_requested");
  const askService = askingBy(client, "custom_method_invoked");
  let asked = 0;
  const stored = async (limitMs: number): Promise<string | null> => {
    asked += 1;
    const req_id = `contact-${asked}`;
    const answer = await askService({
      post: () => client.tell("web_app_invoke_custom_method", { req_id, method: "getRequestedContact", params: {} }),
      isOurs: (payload) => payload.req_id === req_id,
      limitMs,
    });
    if (typeof answer === "string" || answer.payload.error !== undefined) return null;
    return typeof answer.payload.result === "string" && answer.payload.result !== "" ? answer.payload.result : null;
  };
  return {
    async requestContact() {
      const agreed = await askReader({
        post: () => client.tell("web_app_request_phone"),
        limitMs: PATIENCE_MS,
        isModal: true,
      });
      if (typeof agreed === "string" || agreed.payload.status !== "sent") return null;
      return pollContact(stored);
    },
  };
}
