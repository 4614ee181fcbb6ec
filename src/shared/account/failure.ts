import { CallError } from "../http/call-error.ts";
import type { AuthDialog, FieldErrors } from "./auth-fields.ts";

/** Keys of the namespace `account` under `failed`. */
export type GeneralFailure = "unreachable" | "tooMany" | "other";

/** What became of a call of a dialog that failed (spec §8). */
export type AuthFailure =
  | { readonly kind: "fields"; readonly fields: FieldErrors }
  /** The password was right; the account asks for its second factor too (contract §8). */
  | { readonly kind: "secondFactor" }
  /** A known conflict of the database: a notification for 3 s. */
  | { readonly kind: "conflict" }
  | { readonly kind: "general"; readonly failure: GeneralFailure };

/** What a dialog shows of its failed call. `sentCode`: the call had a code of the second factor, so wrong credentials are that code. */
export function readAuthFailure(error: unknown, dialog: AuthDialog, sentCode: boolean): AuthFailure {
  if (!(error instanceof CallError)) return { kind: "general", failure: "other" };
  if (error.kind === "network" || error.kind === "timeout") return { kind: "general", failure: "unreachable" };
  if (error.httpStatus === 429) return { kind: "general", failure: "tooMany" };
  switch (error.code) {
    case "ERR_VALIDATION":
      return refusedFields(error.data);
    case "ERR_INVALID_CREDENTIALS":
      if (sentCode) return fields({ secondFactorCode: "secondFactorWrong" });
      return dialog === "newPassword"
        ? fields({ passwordResetCode: "ERR_INVALID_PASSWORD_RESET_CODE" })
        : fields({ email: "ERR_INVALID_CREDENTIALS", password: "ERR_INVALID_CREDENTIALS" });
    case "ERR_USER_ALREADY_REGISTERED":
      return fields({ email: "ERR_USER_ALREADY_REGISTERED" });
    case "ERR_INVALID_PASSWORD_RESET_CODE":
      return fields({ passwordResetCode: "ERR_INVALID_PASSWORD_RESET_CODE" });
    case "ERR_FORBIDDEN":
      if (error.data["secondFactor"] !== true) return { kind: "general", failure: "other" };
      return sentCode ? fields({ secondFactorCode: "secondFactorWrong" }) : { kind: "secondFactor" };
    case "ERR_PRISMA_CLIENT_KNOWN_REQUEST":
      return { kind: "conflict" };
    default:
      return { kind: "general", failure: "other" };
  }
}

const fields = (errors: FieldErrors): AuthFailure => ({ kind: "fields", fields: errors });

function refusedFields(data: Readonly<Record<string, unknown>>): AuthFailure {
  const errors: FieldErrors = {
    ...("email" in data ? { email: "EMAIL_VALIDATION_ERROR" as const } : {}),
    ...("password" in data ? { password: "account_password_validation_error" as const } : {}),
    ...("resetCode" in data ? { passwordResetCode: "ERR_INVALID_PASSWORD_RESET_CODE" as const } : {}),
    ...("code" in data ? { secondFactorCode: "secondFactorWrong" as const } : {}),
  };
  return Object.keys(errors).length > 0 ? fields(errors) : { kind: "general", failure: "other" };
}

/** The referral of the cookie is nobody's (spec §8): it is let go, and the registration is sent without it. */
export const isReferrerUnknown = (error: unknown): boolean =>
  error instanceof CallError && error.code === "ERR_NOT_FOUND" && error.message.includes("referrerAffiliateId");

/** The session is good, but what was asked for takes the password once more (contract §8). */
export const needsReauthentication = (error: unknown): boolean =>
  error instanceof CallError && error.code === "ERR_FORBIDDEN" && error.data["reauthenticate"] === true;
