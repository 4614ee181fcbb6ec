import type { AccountData } from "#contract/account.ts";

/** Whoever a call's token names. */
export type SignedIn = { readonly userId: bigint };

/** A session that was opened by launch data. */
export type OpenedSession = { readonly accessToken: string; readonly userId: bigint };

/** Everything that HTTP may ask of accounts. Failures are CodedError. */
export type Accounts = {
  /** Signs a known user of the messenger in. ERR_INVALID_CREDENTIALS for refused launch data, ERR_NOT_FOUND for an unknown user. */
  authenticateLaunch(initData: string): Promise<OpenedSession>;
  /** Signs in, and makes the account where there is none: equal calls make one, and are answered alike. */
  createByLaunch(initData: string): Promise<OpenedSession>;
  /** Whose token it is. ERR_IM_A_TEAPOT once it has expired, ERR_UNAUTHORIZED for any other that is not good. */
  whoHas(accessToken: string): Promise<SignedIn>;
  accountData(userId: bigint): Promise<AccountData>;
  logOut(accessToken: string): Promise<void>;
  /** Forgets sessions that ended long ago. */
  prune(): Promise<void>;
};
