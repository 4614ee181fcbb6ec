import * as z from "zod/mini";
import { randomHex } from "../../shared/browser/random-hex.ts";
import { readJson, sessionStore } from "../../shared/browser/storage.ts";

const attemptSchema = z.object({ body: z.string(), key: z.string() });

const nameOf = (orderId: string, action: string): string => `order-${action}:v1:${orderId}`;

/** The key under which this very request was already sent without a certain answer, also before a reload; else a new one, kept. */
export function attemptKey(orderId: string, action: string, body: unknown): string {
  const name = nameOf(orderId, action);
  const kept = attemptSchema.safeParse(readJson(sessionStore, name));
  const asked = JSON.stringify(body);
  if (kept.success && kept.data.body === asked) return kept.data.key;
  const key = randomHex();
  sessionStore.set(name, JSON.stringify({ body: asked, key }));
  return key;
}

/** The answer is certain: the next request is another one. */
export const dropAttemptKey = (orderId: string, action: string): void => sessionStore.remove(nameOf(orderId, action));
