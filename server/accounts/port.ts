import type {
  AccountData,
  AccountExport,
  AccountSession,
  AuthenticateLocalBody,
  CreateLocalBody,
  ReauthenticateBody,
} from "#contract/accounts/account.ts";
import type { ApiKey, GenerateApiKeyBody, GeneratedApiKey, UpdateApiKeyBody } from "#contract/accounts/api-keys.ts";
import type { BodyOf } from "#contract/calls.ts";
import type { Clock } from "../base/clock.ts";
import type { SignedIn } from "../base/routes.ts";
import type { AccountRows } from "../db/account-rows.ts";
import type { Database } from "../db/database.ts";
import type { Bot } from "./telegram/launch-data.ts";

export type AccountParts = {
  database: Database;
  /** The time of tokens and limits; launch data and second factors are checked against real time. */
  clock: Clock;
  /** Null: nobody can sign in through Telegram. */
  bot: Bot | null;
  /** 32 bytes that encrypt the secrets of second factors; without it a key in the database does. */
  secondFactorKey?: Buffer | null;
  /** Whether referral links count at a registration (contract §9). */
  arePartnerReferralsOn?: boolean;
  /** The same for the secrets of API keys. */
  apiKeysKey?: Buffer | null;
  /** What the other areas have of an account, in the order in which they are asked. */
  areas: readonly AccountRows[];
  realNow?: () => Date;
  /** Called when a mail waits in the outbox. */
  onMail?: () => void;
};

/** A network has the tries of this many clients. */
export const NETWORK_CLIENTS = 4;

/** The client that tries to sign in. */
export type AccountClient = {
  /** An IPv4 address, or the /64 of an IPv6 one: what limits count. */
  prefix: string;
  /** The /48 of an IPv6 client, all of which one party may own: it gets the limits of `NETWORK_CLIENTS` clients. */
  network: string | null;
  /** For the list of sessions. */
  device: string | null;
  /** The token of a browser in which somebody was signed in before. */
  browser: string | null;
};

/** A session that was opened by launch data. */
export type OpenedSession = { readonly accessToken: string; readonly userId: bigint };

export type LocalSession = {
  userId: bigint;
  sessionId: string;
  tokens: { access: string; refresh: string };
  /** A token that marks this browser from now on; null where it is known already. */
  browser: string | null;
};

type LocalSignIn = LocalSession & { accessToken: string | null };

type Launching = { initData: string; code?: string | null | undefined };

export type UsableApiKey = {
  apiId: string;
  userId: bigint;
  secretKey: string;
  whiteListIp: string;
  lastUsedAt: Date | null;
};

export type ApiKeys = {
  /** Without their secrets (spec §3). */
  listApiKeys(by: SignedIn): Promise<ApiKey[]>;
  /** ERR_UNPROCESSABLE_ENTITY once the account has the maximum number of keys. */
  generateApiKey(by: SignedIn, body: GenerateApiKeyBody): Promise<GeneratedApiKey>;
  /** ERR_NOT_FOUND for another account's key; ERR_FORBIDDEN where other addresses may use it, or it is switched on, and `by` isn't fresh. */
  updateApiKey(by: SignedIn, body: UpdateApiKeyBody): Promise<ApiKey>;
  /** ERR_NOT_FOUND for a key that is not of the account. The next call that it signs is refused. */
  deleteApiKey(by: SignedIn, apiId: string): Promise<void>;
  /** What a signed call is checked with (contract §8); null for a key that is unknown or switched off. */
  findApiKey(publicKey: string): Promise<UsableApiKey | null>;
  /** Notes that a call was signed with it, to the minute. */
  markApiKeyUsed(key: UsableApiKey): Promise<void>;
};

/** Everything that HTTP may ask of accounts. Failures are CodedError. */
export type Accounts = ApiKeys & {
  /** Signs a known Telegram user in. ERR_INVALID_CREDENTIALS for refused launch data, ERR_NOT_FOUND for an unknown user. */
  authenticateLaunch(launching: Launching, client: AccountClient): Promise<OpenedSession>;
  /** Signs in, and creates the account where there is none. Equal calls create one account and get the same answer. */
  createByLaunch(launching: Launching, client: AccountClient): Promise<OpenedSession>;
  /** ERR_USER_ALREADY_REGISTERED, ERR_VALIDATION `data.password`, ERR_NOT_FOUND for an unknown `referrerAffiliateId`. */
  createLocal(body: CreateLocalBody, client: AccountClient): Promise<void>;
  /** ERR_INVALID_CREDENTIALS alike for an unknown email and a wrong password, in the same time. */
  authenticateLocal(body: AuthenticateLocalBody, client: AccountClient): Promise<LocalSignIn>;
  /** ERR_UNAUTHORIZED unless the token is the last one of its session, or the one before within the grace; a later reuse ends the session. */
  refresh(
    refreshToken: string | null,
  ): Promise<
    { tokens: { access: string; refresh: string }; userId: bigint } | { kind: "refused"; reusedBy: bigint | null }
  >;
  /** Mails a code where the email has an account. Answers alike where it has none, and where too many were asked for (contract §8). */
  requestPasswordReset(email: string, client: AccountClient): Promise<void>;
  /**
   * Sets the password, ends every session and returns the account. ERR_INVALID_PASSWORD_RESET_CODE for a wrong or old code, alike for an unknown
   * email; ERR_VALIDATION `data.password`.
   */
  resetPassword(body: BodyOf<"resetPassword">, client: AccountClient): Promise<bigint>;
  /** The user of a token. ERR_IM_A_TEAPOT once it has expired, ERR_UNAUTHORIZED for any other that is invalid. */
  authenticateToken(accessToken: string): Promise<SignedIn>;
  accountData(userId: bigint): Promise<AccountData>;
  /** Those that have not ended. */
  sessions(by: SignedIn): Promise<AccountSession[]>;
  /** False where the account has no such session, or it has ended already. */
  endSession(by: SignedIn, sessionId: string): Promise<boolean>;
  /**
   * Proves again who is signed in, by the password or launch data of the last minutes, with a code of the second factor where there is one. Returns
   * until when that counts (contract §8). ERR_INVALID_CREDENTIALS, ERR_FORBIDDEN `data.secondFactor` without a code that is needed, 429 after too many
   * failures.
   */
  reauthenticate(by: SignedIn, body: ReauthenticateBody, client: AccountClient): Promise<Date>;
  /** Ends all other sessions. ERR_VALIDATION `data.password`, ERR_UNPROCESSABLE_ENTITY without an email. */
  changePassword(by: SignedIn, password: string, client: AccountClient): Promise<void>;
  /** Mails a code to the new address; nothing changes until `confirmEmail` gets it. 429 after too many codes. */
  changeEmail(by: SignedIn, email: string, client: AccountClient): Promise<void>;
  /**
   * Sets the email that the code was mailed to, and ends all other sessions. ERR_INVALID_PASSWORD_RESET_CODE for a wrong or old code,
   * ERR_USER_ALREADY_REGISTERED where another account has taken the email meanwhile.
   */
  confirmEmail(by: SignedIn, code: string, client: AccountClient): Promise<void>;
  /** A new secret (RFC 6238), in base32 and as an `otpauth:` link; it counts once `confirmSecondFactor` gets a code of it. ERR_UNPROCESSABLE_ENTITY where one is on. */
  beginSecondFactor(by: SignedIn): Promise<{ secret: string; uri: string }>;
  /** Turns it on, and returns the ten recovery codes, which are shown this once. ERR_INVALID_CREDENTIALS for a wrong code. */
  confirmSecondFactor(by: SignedIn, code: string): Promise<string[]>;
  /** False where there was none. ERR_FORBIDDEN for an administrator. */
  removeSecondFactor(by: SignedIn): Promise<boolean>;
  /** ERR_USER_ALREADY_REGISTERED for a Telegram user that is tied to another email, ERR_UNPROCESSABLE_ENTITY for one with a second factor. False for the one that it has. */
  linkTelegram(by: SignedIn, initData: string): Promise<boolean>;
  /**
   * Ends the sessions that Telegram opened, but the caller's own; false where none was linked. ERR_UNPROCESSABLE_ENTITY without an email:
   * nobody could sign in any more.
   */
  unlinkTelegram(by: SignedIn): Promise<boolean>;
  /** All that we hold of the account (contract §8), the photos of a check excepted. */
  exportAccount(by: SignedIn): Promise<AccountExport>;
  /** Ends it for good; of its row only the number stays. ERR_UNPROCESSABLE_ENTITY while an order is open or it is owed something. */
  deleteAccount(by: SignedIn): Promise<void>;
  /** Deletes sessions that ended long ago. */
  prune(): Promise<void>;
};
