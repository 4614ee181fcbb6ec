import { RATES_EVENT, type SocketMessage, socketMessageSchema } from "#contract/rate.ts";

/** `broken` is an answer on the pairs channel that breaks the contract: a load error (spec §3). */
export type ReadMessage = SocketMessage | "broken" | null;

/** One message of the rates socket; null, with a warning, for one that is not of the pairs channel. */
export function parseSocketMessage(text: unknown): ReadMessage {
  const message = readJson(String(text));
  const parsed = socketMessageSchema.safeParse(message);
  if (parsed.success) return parsed.data;
  console.warn("unreadable message on the rates socket", parsed.error.issues);
  return isOfPairs(message) ? "broken" : null;
}

const isOfPairs = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "event" in message && message.event === RATES_EVENT;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return { unreadable: String(error) };
  }
}
