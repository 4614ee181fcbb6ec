import type { Api } from "#contract/site/ssr.ts";
import { fetchAccount } from "../../../shared/account/account-store.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import type { Locale } from "#contract/locale.ts";
import { logIn, register, resetPassword, sendResetCode } from "./api.ts";
import { type AuthFailure, readAuthFailure } from "../../../shared/account/failure.ts";
import type { AuthDialog } from "../../../shared/account/auth-fields.ts";
import { checkForm, cleanResetCode } from "../model/form.ts";
import { auth, closeAuthDialog, switchAuthDialog } from "../store.ts";

export type SubmitContext = {
  readonly api: Api;
  readonly locale: Locale;
  /** Somebody has signed in. */
  readonly onSignedIn: (next: string | null, isNew: boolean) => void;
  /** A known conflict of the database (spec §8): a notification. */
  readonly onConflict: () => void;
};

/** Sends the open dialog. What is wrong is in the store afterwards: one error for each field, or one for all. */
export async function submitAuthDialog(context: SubmitContext): Promise<void> {
  const { dialog, isPending, asksSecondFactor } = auth;
  if (dialog === null || isPending) return;
  const data = { ...auth.data, passwordResetCode: cleanResetCode(auth.data.passwordResetCode) };
  auth.failure = null;
  auth.errors = checkForm(dialog, data, asksSecondFactor);
  if (Object.keys(auth.errors).length > 0) return playHaptic("failed");
  auth.isPending = true;
  try {
    await SENDERS[dialog](data, context);
  } catch (error) {
    // Closed meanwhile, or another dialog is open: nobody waits for this answer.
    if (auth.dialog === dialog) show(readAuthFailure(error, dialog, asksSecondFactor), error, context);
  } finally {
    auth.isPending = false;
  }
}

type Sender = (data: typeof auth.data, context: SubmitContext) => Promise<void>;

const SENDERS: Record<AuthDialog, Sender> = {
  login: signIn,
  register: async (data, context) => {
    // Registered already, where only the login failed: pressing again must not say that the email is taken.
    if (!auth.inSessionRegistration) await register(context.api, data, context.locale);
    auth.inSessionRegistration = true;
    await signIn(data, context);
  },
  restore: async (data, { api, locale }) => {
    await sendResetCode(api, data, locale);
    switchAuthDialog("newPassword");
  },
  newPassword: async (data, { api }) => {
    await resetPassword(api, data);
    switchAuthDialog("login", "reset");
  },
};

/** spec §4: log in, then fetch account data. */
async function signIn(data: typeof auth.data, { api, onSignedIn }: SubmitContext): Promise<void> {
  await logIn(api, data);
  await fetchAccount(api);
  const { next, inSessionRegistration } = auth;
  auth.inSessionRegistration = false;
  closeAuthDialog();
  onSignedIn(next, inSessionRegistration);
}

function show(failure: AuthFailure, error: unknown, { onConflict }: SubmitContext): void {
  playHaptic("failed");
  switch (failure.kind) {
    case "fields":
      auth.errors = failure.fields;
      return;
    case "secondFactor":
      auth.asksSecondFactor = true;
      // Of a registration the login is left: its dialog has the field.
      auth.dialog = "login";
      return;
    case "conflict":
      onConflict();
      return;
    case "general":
      if (failure.failure === "other") console.error("an account call failed", error);
      auth.failure = failure.failure;
  }
}
