import { accountPushBodySchema, accountPushSchema, accountPushEndedSchema } from "../accounts/push.ts";
import type { Call } from "./call.ts";

/** Push notifications about an account, in the browser of this session. */
export const accountPushCalls = {
  accountPush: {
    method: "GET",
    path: "/api/v1/users/push",
    summary: "The key that push subscriptions need, and which subscription this session's browser has",
    timeoutMs: 15_000,
    answer: accountPushSchema,
    isForSignedIn: true,
  },
  subscribeAccountPush: {
    method: "POST",
    path: "/api/v1/users/push-subscribe",
    summary:
      "Subscribes this session's browser to push notifications about the account, for as long as the session lasts",
    timeoutMs: 15_000,
    body: accountPushBodySchema,
    answer: accountPushSchema,
    isForSignedIn: true,
  },
  unsubscribeAccountPush: {
    method: "POST",
    path: "/api/v1/users/push-unsubscribe",
    summary: "Ends this session's push notifications about the account",
    timeoutMs: 15_000,
    answer: accountPushEndedSchema,
    isForSignedIn: true,
  },
} as const satisfies Record<string, Call>;
