import {
  cardAccessTokenAnswerSchema,
  cardAccessTokenQuerySchema,
  cardCallbackAnswerSchema,
  cardCallbackBodySchema,
  cardContactsAnswerSchema,
  cardKycStatusAnswerSchema,
  cardSignInAnswerSchema,
  cardSignInBodySchema,
  cardSignUpAnswerSchema,
  cardSignUpBodySchema,
  cardTokenQuerySchema,
} from "../card.ts";
import type { Call } from "./call.ts";

const ROOT = "/api/v1/liquidity-providers/mercuryo";

/** The card provider's accounts and checks (spec §7 "On-ramp provider", contract §11). */
export const cardCalls = {
  cardSignUp: {
    method: "POST",
    path: `${ROOT}/user/sign-up`,
    summary:
      "Registers the account's email with the card provider; ERR_USER_ALREADY_REGISTERED where it is known there",
    timeoutMs: 15_000,
    body: cardSignUpBodySchema,
    answer: cardSignUpAnswerSchema,
    isForSignedIn: true,
  },
  cardSignIn: {
    method: "POST",
    path: `${ROOT}/user/sign-in`,
    summary: "Answers a token for the account's user at the card provider",
    timeoutMs: 15_000,
    body: cardSignInBodySchema,
    answer: cardSignInAnswerSchema,
    isForSignedIn: true,
  },
  cardContacts: {
    method: "GET",
    path: `${ROOT}/user/contacts`,
    summary: "Whether the email is confirmed at the card provider",
    timeoutMs: 15_000,
    query: cardTokenQuerySchema,
    answer: cardContactsAnswerSchema,
    isForSignedIn: true,
  },
  cardKycStatus: {
    method: "GET",
    path: `${ROOT}/user/kyc-status`,
    summary: "How the card provider's checks of the identity stand, by feature",
    timeoutMs: 15_000,
    query: cardTokenQuerySchema,
    answer: cardKycStatusAnswerSchema,
    isForSignedIn: true,
  },
  cardAccessToken: {
    method: "GET",
    path: `${ROOT}/kyc/access-token`,
    summary: "Answers a token for the card provider's verification, and the page that takes it",
    timeoutMs: 15_000,
    query: cardAccessTokenQuerySchema,
    answer: cardAccessTokenAnswerSchema,
    isForSignedIn: true,
  },
  cardCallback: {
    method: "POST",
    path: `${ROOT}/callback`,
    summary: "Takes the card provider's signed news of an order",
    timeoutMs: 15_000,
    body: cardCallbackBodySchema,
    answer: cardCallbackAnswerSchema,
    isSigned: true,
  },
} as const satisfies Record<string, Call>;
