import { proxy, type Snapshot, useSnapshot } from "valtio";
import type { GeneralFailure } from "../../shared/account/failure.ts";
import type { AuthData, AuthDialog, AuthField, FieldErrors } from "../../shared/account/auth-fields.ts";
import { emptyAuthData } from "./model/form.ts";

/** Why the login dialog came by itself; keys of the namespace `account` under `note`. */
export type LoginNote = "ended" | "reset" | "page";

type AuthState = {
  /** The open dialog (spec §3's four flags: one is open at a time); null without one. */
  dialog: AuthDialog | null;
  data: AuthData;
  errors: FieldErrors;
  failure: GeneralFailure | null;
  note: LoginNote | null;
  /** spec §3, pendingData */
  isPending: boolean;
  /** The password was right, and the second factor's code is asked for. */
  asksSecondFactor: boolean;
  /** The plus sign of a typed email was removed (spec §5). */
  hadPlus: boolean;
  /** This account was registered in this visit. */
  inSessionRegistration: boolean;
  /** Where a login goes on to: a path with its language and query; null where it stays. */
  next: string | null;
};

export type Opening = { readonly note?: LoginNote; readonly next?: string };

const closed = (): AuthState => ({
  dialog: null,
  data: emptyAuthData(),
  errors: {},
  failure: null,
  note: null,
  isPending: false,
  asksSecondFactor: false,
  hadPlus: false,
  inSessionRegistration: false,
  next: null,
});

/** The dialogs' state. Only the browser fills it; nothing of it is ever stored. */
export const auth = proxy<AuthState>(closed());

/** The dialogs' state as a component reads it; at once, so that a field's caret keeps its place. */
export const useAuth = (): Snapshot<AuthState> => useSnapshot(auth, { sync: true });

/** Opens a dialog anew. */
export function openAuthDialog(dialog: AuthDialog, { note, next }: Opening = {}): void {
  // A second call for the same dialog must not empty what is being typed.
  if (auth.dialog === dialog) return;
  Object.assign(auth, { ...closed(), inSessionRegistration: auth.inSessionRegistration });
  Object.assign(auth, { dialog, note: note ?? null, next: next ?? null });
}

/** Goes from one dialog to another: errors are cleared, the email stays (spec §4). */
export function switchAuthDialog(dialog: AuthDialog, note: LoginNote | null = null): void {
  const { email } = auth.data;
  Object.assign(auth, { dialog, note, errors: {}, failure: null, asksSecondFactor: false, isPending: false });
  auth.data = { ...emptyAuthData(), email };
}

/** Closes the dialog; passwords and codes don't stay in memory. */
export function closeAuthDialog(): void {
  const { inSessionRegistration } = auth;
  Object.assign(auth, { ...closed(), inSessionRegistration });
}

/** Takes what was typed; the errors of that field go, those that several fields share from all of them. */
export function changeAuthData(change: Partial<AuthData>): void {
  Object.assign(auth.data, change);
  auth.failure = null;
  for (const field of Object.keys(change) as AuthField[]) clearError(field);
}

function clearError(field: AuthField): void {
  const cleared = auth.errors[field];
  if (cleared === undefined) return;
  const kept = Object.entries(auth.errors).filter(([name, error]) => name !== field && error !== cleared);
  auth.errors = Object.fromEntries(kept);
}

/** spec §4, logout: nothing of the last person stays. */
export const resetAuth = (): void => void Object.assign(auth, closed());
