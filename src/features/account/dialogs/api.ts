import type { Api } from "#contract/site/ssr.ts";
import { browserFingerprint } from "../../../shared/browser/browser-fingerprint.ts";
import { forgetReferral, readReferral } from "../../../shared/browser/referral.ts";
import type { Locale } from "#contract/locale.ts";
import { isReferrerUnknown } from "../../../shared/account/failure.ts";
import type { AuthData } from "../../../shared/account/auth-fields.ts";

/** Makes an account; opens no session. A referral that nobody knows is let go (contract §8). */
export async function register(api: Api, { email, password }: AuthData, locale: Locale): Promise<void> {
  const referrerAffiliateId = readReferral();
  const body = { email, password, locale, browserFingerprint: browserFingerprint() };
  try {
    await api.call("createLocal", { body: { ...body, ...(referrerAffiliateId !== null && { referrerAffiliateId }) } });
  } catch (error) {
    if (referrerAffiliateId === null || !isReferrerUnknown(error)) throw error;
    forgetReferral();
    await api.call("createLocal", { body });
  }
}

/** Opens a session: its cookies come with the answer. */
export async function logIn(api: Api, { email, password, secondFactorCode }: AuthData): Promise<void> {
  const code = secondFactorCode === "" ? {} : { code: secondFactorCode };
  await api.call("authenticateLocal", { body: { email, password, browserFingerprint: browserFingerprint(), ...code } });
}

/** Has a code mailed that `resetPassword` takes (contract §8). */
export async function sendResetCode(api: Api, { email }: AuthData, locale: Locale): Promise<void> {
  await api.call("requestPasswordReset", { body: { email, locale } });
}

/** Sets a new password by a mailed code, which is used up (contract §8). */
export async function resetPassword(api: Api, { email, password, passwordResetCode }: AuthData): Promise<void> {
  await api.call("resetPassword", { body: { email, password, resetCode: passwordResetCode } });
}
