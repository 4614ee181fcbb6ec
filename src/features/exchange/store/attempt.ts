import * as z from "zod/mini";
import { createOrderBodySchema } from "#contract/order.ts";
import { readJson, sessionStore } from "../../../platform/storage.ts";
import type { OrderBody } from "../model/order-body.ts";

/** A creation whose outcome is not certain: the same key and body are sent until it is. */
export type Attempt = { identity: string; key: string; body: OrderBody };

const KEY = "exchange-attempt:v1";

const attemptSchema = z.object({ identity: z.string(), key: z.string(), body: createOrderBodySchema });

/** Also after a reload, so that a lost answer never makes a second order. */
export function readAttempt(): Attempt | null {
  const parsed = attemptSchema.safeParse(readJson(sessionStore, KEY));
  return parsed.success ? parsed.data : null;
}

export const keepAttempt = (attempt: Attempt): void => sessionStore.set(KEY, JSON.stringify(attempt));

export const dropAttempt = (): void => sessionStore.remove(KEY);
