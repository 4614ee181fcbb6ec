import type { BodyInput } from "#contract/calls.ts";
import { type AccountSession, sessionsAnswerSchema } from "#contract/accounts/account.ts";
import { fetchAccount } from "../../shared/account/account-store.ts";
import { type Seen, useSeen } from "../../shared/account/last-seen.ts";
import { browserApi, call } from "../../shared/http/http.ts";

/** Reads the account anew, once something of it has changed. */
export const reloadAccount = (): Promise<void> => fetchAccount(browserApi);

/** Where the account is signed in. */
export const useSessions = (userId: number): Seen<AccountSession[]> =>
  useSeen(userId, "sessions", sessionsAnswerSchema, () => call("sessions"));

export const endAccountSession = (sessionId: string) => call("endSession", { body: { sessionId } });

/** The account's other sessions end. */
export const changePassword = (password: string) => call("changePassword", { body: { password } });

export const mailEmailCode = (email: string) => call("changeEmail", { body: { email } });

/** Proves the mailbox by the code that it was sent. */
export async function confirmEmail(code: string): Promise<void> {
  await call("confirmEmail", { body: { code } });
  await reloadAccount();
}

export const beginSecondFactor = () => call("beginSecondFactor");

/** Turns the second factor on; returns the recovery codes, which are shown once. */
export async function confirmSecondFactor(code: string): Promise<readonly string[]> {
  const { recoveryCodes } = await call("confirmSecondFactor", { body: { code } });
  return recoveryCodes;
}

export async function removeSecondFactor(): Promise<void> {
  await call("removeSecondFactor");
  await reloadAccount();
}

/** Telegram opens this account no more, and the sessions that it opened end. */
export async function unlinkTelegram(): Promise<void> {
  await call("unlinkTelegram");
  await reloadAccount();
}

export const exportAccount = () => call("exportAccount");

export const deleteAccount = () => call("deleteAccount");

/** Proves the password again, which some changes need; `code` is the second factor's, empty without one. */
export const reauthenticate = (password: string, code: string) =>
  call("reauthenticate", { body: { password, ...(code === "" ? {} : { code }) } });

/** Opens a session of the local account inside Telegram; gives its token. */
export const authenticateInTelegram = (body: BodyInput<"authenticateLocal">) => call("authenticateLocal", { body });

export const linkTelegram = (initData: string) => call("linkTelegram", { body: { initData } });

/** The key of the account's notices, null where the service sends none, and which browser gets them. */
export const readAccountPush = () => call("accountPush");

export const subscribeAccountPush = (body: BodyInput<"subscribeAccountPush">) => call("subscribeAccountPush", { body });

export const unsubscribeAccountPush = () => call("unsubscribeAccountPush");
