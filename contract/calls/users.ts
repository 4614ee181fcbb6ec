import { accountDataSchema, emptyAnswerSchema, launchAnswerSchema, launchBodySchema } from "../accounts/account.ts";
import type { Call } from "./call.ts";

/** Accounts and their sessions. */
export const userCalls = {
  authenticateByTelegram: {
    method: "POST",
    path: "/api/v1/users/telegram/authenticate",
    summary: "Signs a known Telegram user in by launch data",
    timeoutMs: 15_000,
    body: launchBodySchema,
    answer: launchAnswerSchema,
    isSignIn: true,
  },
  createByTelegram: {
    method: "POST",
    path: "/api/v1/users/telegram/create",
    summary: "Creates a Telegram user's account, once, and signs in",
    timeoutMs: 15_000,
    body: launchBodySchema,
    answer: launchAnswerSchema,
    isSignIn: true,
  },
  accountData: {
    method: "GET",
    path: "/api/v1/users/account-data",
    summary: "Who is signed in",
    timeoutMs: 15_000,
    answer: accountDataSchema,
    isForSignedIn: true,
  },
  logOut: {
    method: "POST",
    path: "/api/v1/users/authentication/logout",
    summary: "Ends the session that the call carries",
    timeoutMs: 15_000,
    answer: emptyAnswerSchema,
    isForSignedIn: true,
  },
} as const satisfies Record<string, Call>;
