import { type AccountSession, sessionsAnswerSchema } from "#contract/accounts/account.ts";
import { fetchAccount } from "../../shared/account/account-store.ts";
import { type Seen, useSeen } from "../../shared/account/last-seen.ts";
import { browserApi, call } from "../../shared/http/http.ts";

/** Where the account is signed in. */
export const useSessions = (userId: number): Seen<AccountSession[]> =>
  useSeen(userId, "sessions", sessionsAnswerSchema, () => call("sessions"));

export const endAccountSession = (sessionId: string) => call("endSession", { body: { sessionId } });

export const changePassword = (password: string) => call("changePassword", { body: { password } });

export const mailEmailCode = (email: string) => call("changeEmail", { body: { email } });

export async function confirmEmail(code: string): Promise<void> {
  await call("confirmEmail", { body: { code } });
  await fetchAccount(browserApi);
}

export const beginSecondFactor = () => call("beginSecondFactor");

export async function confirmSecondFactor(code: string): Promise<readonly string[]> {
  const { recoveryCodes } = await call("confirmSecondFactor", { body: { code } });
  return recoveryCodes;
}

export async function removeSecondFactor(): Promise<void> {
  await call("removeSecondFactor");
  await fetchAccount(browserApi);
}

/** Telegram opens this account no more, and the sessions that it opened end. */
export async function unlinkTelegram(): Promise<void> {
  await call("unlinkTelegram");
  await fetchAccount(browserApi);
}

export const exportAccount = () => call("exportAccount");

export const deleteAccount = () => call("deleteAccount");

export const reauthenticate = (password: string, code: string) =>
  call("reauthenticate", { body: { password, ...(code === "" ? {} : { code }) } });
