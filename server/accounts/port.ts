import type { AccountData } from "#contract/account.ts";
import type { SignedIn } from "../base/routes.ts";

/** A session that was opened by launch data. */
export type OpenedSession = { readonly accessToken: string; readonly userId: bigint };

/** Everything that HTTP may ask of accounts. Failures are CodedError. */
export type Accounts = {
  /** Signs a known Telegram user in. ERR_INVALID_CREDENTIALS for refused launch data, ERR_NOT_FOUND for an unknown user. */
  authenticateLaunch(initData: string): Promise<OpenedSession>;
  /** Signs in, and creates the account where there is none. Equal calls create one account and get the same answer. */
  createByLaunch(initData: string): Promise<OpenedSession>;
  /** The user of a token. ERR_IM_A_TEAPOT once it has expired, ERR_UNAUTHORIZED for any other that is invalid. */
  authenticateToken(accessToken: string): Promise<SignedIn>;
  accountData(userId: bigint): Promise<AccountData>;
  logOut(accessToken: string): Promise<void>;
  /** Deletes sessions that ended long ago. */
  prune(): Promise<void>;
};
