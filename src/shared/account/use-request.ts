import { useState } from "react";
import { useTranslation } from "react-i18next";
import { playHaptic } from "../browser/haptics.ts";
import { CallError } from "../http/call-error.ts";
import { type AuthFailure, readAuthFailure } from "./failure.ts";
import type { FieldError } from "./auth-fields.ts";
import { withReauthentication } from "./reauthentication.ts";

type Request = {
  readonly isPending: boolean;
  /** What is wrong with what was typed, and with the request itself; in the person's language. */
  readonly fieldError: string | null;
  readonly failure: string | null;
  readonly forget: () => void;
  /** Says what is wrong with what was typed, before anything is sent. */
  readonly refuse: (error: FieldError) => void;
  /** Runs one request at a time: true when it was done, null when the person let it go or has to sign in, which a dialog says. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean | null>;
};

/**
 * A request of the profile: asks for the password where the service does, and says what went wrong. `isSignIn`: it holds an email and a
 * password, which may be what is wrong, and a code may be missing.
 */
export function useRequest({ isSignIn = false } = {}): Request {
  const { t } = useTranslation("account");
  const [isPending, setPending] = useState(false);
  const [failed, setFailed] = useState<AuthFailure | null>(null);
  const run = async (act: () => Promise<unknown>): Promise<boolean | null> => {
    if (isPending) return null;
    setPending(true);
    setFailed(null);
    try {
      return (await withReauthentication(async () => ({ value: await act() }))) === null ? null : true;
    } catch (error) {
      playHaptic("failed");
      // The login dialog says so; what was typed waits under it.
      if (error instanceof CallError && error.httpStatus === 401) return null;
      const failure = readAuthFailure(error, "login", !isSignIn);
      if (failure.kind === "general" && failure.failure === "other") console.warn("an account call failed", error);
      setFailed(failure);
      return false;
    } finally {
      setPending(false);
    }
  };
  const [field] = failed === null ? [] : fieldErrorsOf(failed);
  const general = failed === null || field !== undefined ? null : failed.kind === "general" ? failed.failure : "other";
  return {
    isPending,
    fieldError: field === undefined ? null : t(`error.${field}`),
    failure: general === null ? null : t(`failed.${general}`),
    forget: () => setFailed(null),
    refuse: (error) => setFailed({ kind: "fields", fields: { secondFactorCode: error } }),
    run,
  };
}

function fieldErrorsOf(failed: AuthFailure): FieldError[] {
  if (failed.kind === "secondFactor") return ["codeMissing"];
  return failed.kind === "fields" ? Object.values(failed.fields) : [];
}
