import useSWR, { type SWRResponse } from "swr";
import type { AccountSession } from "#contract/account.ts";
import { fetchAccount } from "../../shared/account/account-store.ts";
import { browserApi, call } from "../../shared/http/http.ts";

/** Where the account is signed in. By user: another one's list is never shown. */
export const useSessions = (userId: number): SWRResponse<AccountSession[], Error> =>
  useSWR(["sessions", userId], () => call("sessions"));

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

export const exportAccount = () => call("exportAccount");

export const deleteAccount = () => call("deleteAccount");

export const reauthenticate = (password: string, code: string) =>
  call("reauthenticate", { body: { password, ...(code === "" ? {} : { code }) } });
