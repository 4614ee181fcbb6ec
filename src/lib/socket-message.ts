import { type SocketMessage, socketMessageSchema } from "#contract/rate.ts";

/** One message of the rates socket; null, with a warning, for one that breaks the contract. */
export function parseSocketMessage(text: unknown): SocketMessage | null {
  const parsed = socketMessageSchema.safeParse(readJson(String(text)));
  if (parsed.success) return parsed.data;
  console.warn("unreadable message on the rates socket", parsed.error.issues);
  return null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return { unreadable: String(error) };
  }
}
