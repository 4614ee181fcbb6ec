import { clearAttempt } from "../../features/exchange/creation/attempt.ts";
import { forgetEmail } from "../../features/exchange/store/remembered-email.ts";
import { resetAuth } from "../../features/account/store.ts";
import { savedOrders } from "../../features/order/store.ts";
import { account } from "../../shared/account/account.ts";
import { notifySignOut, resetAccount } from "../../shared/account/account-store.ts";
import { AMOUNT_DRAFT_KEY, EXCHANGE_DRAFT_KEY } from "../../shared/browser/exchange-draft.ts";
import { sessionStore } from "../../shared/browser/storage.ts";
import { forgetVerificationDraft } from "../../shared/browser/verification-draft.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { browserApi } from "../../shared/http/http.ts";
import { type Locale, localePath } from "#contract/locale.ts";
import { loadTelegramClient } from "../../telegram/load-client.ts";
import { forgetWriteAccess } from "../../telegram/use-write-access.ts";

/**
 * Ends the session and forgets the account on this device (spec §4). False where the service was not reached: only it can end the
 * session, whose cookies no script can remove.
 */
export async function logOut(locale: Locale): Promise<boolean> {
  try {
    await browserApi.call("logOut");
  } catch (error) {
    const isOver = error instanceof CallError && error.httpStatus === 401;
    if (!isOver) console.warn("the session could not be ended", error);
    if (!isOver) return false;
  }
  await forgetAccount(locale);
  return true;
}

/**
 * Removes what this person left on the device, and loads the home page anew: what is in memory goes with the page. Inside Telegram the app
 * closes (spec §4).
 */
export async function forgetAccount(locale: Locale): Promise<void> {
  if (account.data !== null) await forgetPerson(account.data);
  resetAuth();
  resetAccount();
  notifySignOut();
  const client = await loadTelegramClient();
  if (client !== null) return client.close();
  location.replace(localePath(locale, "/"));
}

/**
 * Two people may share the device: the second sees neither the first one's orders nor what they typed. Orders made as a guest stay,
 * their links are all that opens them.
 */
export async function forgetPerson({ userId, email }: { userId: number; email: string | null }): Promise<void> {
  forgetEmail();
  clearAttempt();
  for (const key of [EXCHANGE_DRAFT_KEY, AMOUNT_DRAFT_KEY]) sessionStore.remove(key);
  forgetWriteAccess();
  await forgetVerificationDraft();
  await savedOrders.forgetPerson(userId, email);
}
