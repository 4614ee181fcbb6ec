import type {
  AccountData,
  AccountExport,
  AccountSession,
  AuthenticateLocalBody,
  CreateLocalBody,
  ReauthenticateBody,
} from "#contract/account.ts";
import type { BodyOf } from "#contract/calls.ts";
import type { Clock } from "../base/clock.ts";
import type { SignedIn } from "../base/routes.ts";
import type { Database } from "../db/database.ts";
import type { Bot } from "./launch-data.ts";

export type AccountParts = {
  database: Database;
  /** Of tokens and limits; launch data and second factors are judged by real time. */
  clock: Clock;
  /** Null: nobody can sign in through Telegram. */
  bot: Bot | null;
  /** 32 bytes that encrypt the secrets of second factors; without it a key in the database does. */
  secondFactorKey?: Buffer | null;
  realNow?: () => Date;
  /** Called when a mail waits in the outbox. */
  onMail?: () => void;
};

/** Whoever tries to sign in. */
export type AccountClient = {
  /** An address, or the network that it is one of many of: what limits count. */
  prefix: string;
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

export type LocalSignIn = LocalSession & { accessToken: string | null };

type Launching = { initData: string; code?: string | null | undefined };

/** Everything that HTTP may ask of accounts. Failures are CodedError. */
export type Accounts = {
  /** Signs a known Telegram user in. ERR_INVALID_CREDENTIALS for refused launch data, ERR_NOT_FOUND for an unknown user. */
  authenticateLaunch(launching: Launching, device: string | null): Promise<OpenedSession>;
  /** Signs in, and creates the account where there is none. Equal calls create one account and get the same answer. */
  createByLaunch(launching: Launching, device: string | null): Promise<OpenedSession>;
  /** ERR_USER_ALREADY_REGISTERED, ERR_VALIDATION `data.password`. */
  createLocal(body: CreateLocalBody, client: AccountClient): Promise<void>;
  /** ERR_INVALID_CREDENTIALS alike for an unknown email and a wrong password, in the same time. */
  authenticateLocal(body: AuthenticateLocalBody, client: AccountClient): Promise<LocalSignIn>;
  /** ERR_UNAUTHORIZED unless the token is the last one of its session, or the one before within the grace; a later reuse ends the session. */
  refresh(
    refreshToken: string | null,
  ): Promise<
    { tokens: { access: string; refresh: string }; userId: bigint } | { kind: "refused"; reusedBy: bigint | null }
  >;
  requestPasswordReset(email: string): Promise<void>;
  resetPassword(body: BodyOf<"resetPassword">, client: AccountClient): Promise<void>;
  /** The user of a token. ERR_IM_A_TEAPOT once it has expired, ERR_UNAUTHORIZED for any other that is invalid. */
  authenticateToken(accessToken: string): Promise<SignedIn>;
  accountData(userId: bigint): Promise<AccountData>;
  sessions(by: SignedIn): Promise<AccountSession[]>;
  endSession(by: SignedIn, sessionId: string): Promise<void>;
  reauthenticate(by: SignedIn, body: ReauthenticateBody, client: AccountClient): Promise<Date>;
  changePassword(by: SignedIn, password: string, client: AccountClient): Promise<void>;
  changeEmail(by: SignedIn, email: string): Promise<void>;
  confirmEmail(by: SignedIn, code: string, client: AccountClient): Promise<void>;
  beginSecondFactor(by: SignedIn): Promise<{ secret: string; uri: string }>;
  confirmSecondFactor(by: SignedIn, code: string): Promise<string[]>;
  removeSecondFactor(by: SignedIn): Promise<void>;
  /** ERR_USER_ALREADY_REGISTERED for a Telegram user that is tied to another email. */
  linkTelegram(by: SignedIn, initData: string): Promise<void>;
  exportAccount(by: SignedIn): Promise<AccountExport>;
  deleteAccount(by: SignedIn): Promise<void>;
  /** Deletes sessions that ended long ago. */
  prune(): Promise<void>;
};
