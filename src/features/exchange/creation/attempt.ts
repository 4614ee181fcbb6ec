import * as z from "zod/mini";
import { createOrderBodySchema } from "#contract/order.ts";
import { readJson, sessionStore } from "../../../shared/browser/storage.ts";
import type { OrderBody } from "../model/order-body.ts";
import { ATTEMPT_KEY as KEY } from "./interrupted.ts";

/** A creation whose outcome is not certain: the same key and body are sent until it is. */
export type Attempt = {
  identity: string;
  key: string;
  body: OrderBody;
  /** The destination step that it came from, a path without language prefix. */
  returnTo: string;
  /** The customer went back to the form: it is sent again only when they press. */
  isLeft: boolean;
  /** When it was first sent, in milliseconds of this device. */
  at: number;
};

const attemptSchema = z.object({
  identity: z.string(),
  key: z.string(),
  body: createOrderBodySchema,
  returnTo: z.string().check(z.regex(/^\/exchange-/)),
  isLeft: z.boolean(),
  at: z.number(),
});

/** The service knows a key for 24 h (contract §1); later the same key would make a second order. */
const KNOWN_MS = 23 * 3_600_000;

/** Also after a reload, so that a lost answer never makes a second order. */
export function readAttempt(): Attempt | null {
  const attempt = readJson(sessionStore, KEY, attemptSchema);
  return attempt !== null && Date.now() - attempt.at < KNOWN_MS ? attempt : null;
}

/** Saves it in the tab's storage before the order is sent. */
export const saveAttempt = (attempt: Attempt): void => sessionStore.set(KEY, JSON.stringify(attempt));

/** Once the attempt has its order, or was refused. */
export const clearAttempt = (): void => sessionStore.remove(KEY);

/** Leaves a saved attempt to the customer's next press. */
export function leaveAttempt(): void {
  const attempt = readAttempt();
  if (attempt !== null) saveAttempt({ ...attempt, isLeft: true });
}
