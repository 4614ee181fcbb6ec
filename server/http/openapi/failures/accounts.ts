import { DAY_SECONDS } from "#contract/durations.ts";
import type { accountCalls } from "#contract/calls/accounts.ts";
import type { accountPushCalls } from "#contract/calls/account-push.ts";
import type { userCalls } from "#contract/calls/users.ts";
import type { verificationCalls } from "#contract/calls/verification.ts";
import { MIN_PASSWORD_CHARACTERS } from "#contract/accounts/password.ts";
import { RefusedLaunchError } from "../../../base/sign-in-errors.ts";
import { failure, type FailuresOf, invalid, MISSING } from "./failure.ts";
import { noPush, unknownPushService } from "./orders.ts";

type AccountCall =
  | keyof typeof accountCalls
  | keyof typeof accountPushCalls
  | keyof typeof userCalls
  | keyof typeof verificationCalls;

const badEmail = invalid("email", "must be an email address");
const badPassword = failure("ERR_VALIDATION", "The password is not good enough", "The password can't be used", {
  data: { password: `must have at least ${MIN_PASSWORD_CHARACTERS} characters` },
});
const badLaunch = { when: "The launch data is forged, old or another bot's", error: new RefusedLaunchError() };
const badCode = failure("ERR_INVALID_CREDENTIALS", "The second factor's code is wrong", "This code is not valid", {
  data: { secondFactor: true },
});
const badMailedCode = failure(
  "ERR_INVALID_PASSWORD_RESET_CODE",
  "The code is wrong, used or too old",
  "This code is not valid (any more)",
);
const codeNeeded = failure(
  "ERR_FORBIDDEN",
  "The account has a second factor: repeat the call with its code",
  "A code of the authenticator app is needed",
  { data: { secondFactor: true } },
);
const tooManyTries = failure(
  "ERR_BAD_REQUEST",
  "Earlier tries have failed",
  "Too many failed attempts: wait before the next",
  {
    httpStatus: 429,
    retryAfterSeconds: 15,
  },
);
const emailTaken = failure(
  "ERR_USER_ALREADY_REGISTERED",
  "The email has an account",
  "There is an account with this email",
);
const refused = (when: string, message: string) => failure("ERR_UNPROCESSABLE_ENTITY", when, message);

const launching = [invalid("initData", MISSING), badLaunch, badCode, codeNeeded, tooManyTries];
const listing = [
  invalid(
    "from",
    "must be a time with its offset, such as 2026-11-21T12:00:00Z, or a day; in an address a + is written %2B",
  ),
];

export const accountFailures: FailuresOf<AccountCall> = {
  authenticateByTelegram: [
    ...launching,
    failure("ERR_NOT_FOUND", "Create the account first", "There is no account of this Telegram user yet"),
  ],
  createByTelegram: launching,
  accountData: [],
  logOut: [],

  createLocal: [
    badEmail,
    badPassword,
    failure("ERR_NOT_FOUND", "Unknown `referrerAffiliateId`: leave it out", "There is no such referrerAffiliateId"),
    emailTaken,
  ],
  authenticateLocal: [
    invalid("email", MISSING),
    failure("ERR_INVALID_CREDENTIALS", "They belong to nobody", "The email or the password is wrong"),
    badCode,
    badLaunch,
    codeNeeded,
    tooManyTries,
  ],
  refresh: [
    invalid("browserFingerprint", "must have at most 256 characters"),
    failure("ERR_UNAUTHORIZED", "The refresh cookie is missing, used or too old", "Sign in again"),
  ],
  requestPasswordReset: [badEmail],
  resetPassword: [invalid("email", MISSING), badPassword, badMailedCode],
  linkTelegram: [
    invalid("initData", MISSING),
    badLaunch,
    failure(
      "ERR_USER_ALREADY_REGISTERED",
      "The Telegram user's account has an email of its own",
      "This Telegram user is linked to another account",
    ),
    refused("The account has another one", "Another Telegram user is linked to this account"),
    refused("The account would have no other sign-in", "This account has no email"),
  ],
  unlinkTelegram: [
    refused("Telegram is its only sign-in", "Add an email first: this account has no other way to sign in"),
  ],
  reauthenticate: [
    invalid("password", "must be a text"),
    failure("ERR_INVALID_CREDENTIALS", "They are another one's", "This does not prove who you are"),
    badCode,
    badLaunch,
    codeNeeded,
    tooManyTries,
  ],
  sessions: [],
  endSession: [
    invalid("sessionId", MISSING),
    failure("ERR_NOT_FOUND", "Unknown session id", "There is no such session"),
  ],
  changePassword: [badPassword, refused("Telegram is its only sign-in", "Add an email first")],
  changeEmail: [badEmail, tooManyTries],
  confirmEmail: [invalid("code", MISSING), badMailedCode, emailTaken],
  beginSecondFactor: [refused("It is on", "The second factor is on already")],
  confirmSecondFactor: [invalid("code", MISSING), badCode, tooManyTries],
  removeSecondFactor: [
    failure("ERR_FORBIDDEN", "An administrator asks for it", "An administrator needs a second factor"),
  ],
  claimOrders: [invalid("orders", "must have at most 100 items")],
  orderHistory: listing,
  orderHistoryCsv: listing,
  exportAccount: [],
  deleteAccount: [
    refused("An order is open", "An order of this account is not finished yet"),
    refused("The wallet is not empty", "This account is owed something: withdraw it first"),
    failure(
      "ERR_UNPROCESSABLE_ENTITY",
      "It was paid more than it had",
      "This account was paid more than it had: it can be deleted once that is taken from what it earns, or waived",
      { data: { outstanding: true } },
    ),
  ],

  accountPush: [],
  subscribeAccountPush: [unknownPushService, noPush],
  unsubscribeAccountPush: [],

  submitVerification: [
    invalid("birthDate", "Invalid ISO date"),
    failure("ERR_VALIDATION", "A photo can't be used", "The photos can't be used", { data: { facePhoto: "format" } }),
    refused("A check is open", "Your identity is being checked already"),
    refused("A check has passed", "Your identity is confirmed already"),
    failure("ERR_BAD_REQUEST", "The account or its client has sent too many forms", "Too many tries today", {
      httpStatus: 429,
      retryAfterSeconds: DAY_SECONDS,
    }),
    failure("ERR_SERVICE_UNAVAILABLE", "The exchange verifies nobody", "Identities can't be checked here"),
  ],
  verificationStatus: [],
};
