import { passwordProblems } from "#contract/accounts/password.ts";
import type { AuthData, AuthDialog, AuthField, FieldErrors } from "../../../shared/account/auth-fields.ts";

export const emptyAuthData = (): AuthData => ({
  email: "",
  password: "",
  passwordConfirm: "",
  passwordResetCode: "",
  secondFactorCode: "",
  isTermsAccepted: false,
});

/** spec §5: auth forms take a stricter pattern than orders; a domain's suffix has up to 63 letters. */
const EMAIL = /^[^\s@"(),:;<>[\\\]+]{1,64}@(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+[\p{L}][\p{L}\d-]{1,62}$/u;
const MAX_EMAIL = 254;

const isAuthEmail = (email: string): boolean => email.length <= MAX_EMAIL && EMAIL.test(email);

/** What a dialog finds wrong before anything is sent (spec §5); empty where nothing is. */
export function checkForm(dialog: AuthDialog, data: AuthData, asksSecondFactor: boolean): FieldErrors {
  return { ...CHECKS[dialog](data), ...(asksSecondFactor && data.secondFactorCode === "" ? CODE_MISSING : {}) };
}

const CODE_MISSING: FieldErrors = { secondFactorCode: "codeMissing" };

const CHECKS: Record<AuthDialog, (data: AuthData) => FieldErrors> = {
  login: (data) => ({
    ...emailError(data),
    ...(data.password === "" ? ({ password: "passwordMissing" } as const) : {}),
  }),
  register: (data) => ({
    ...emailError(data),
    ...newPasswordErrors(data),
    ...(data.isTermsAccepted ? {} : ({ isTermsAccepted: "error_agree_privacy" } as const)),
  }),
  restore: emailError,
  newPassword: (data) => ({
    ...(data.passwordResetCode === "" ? ({ passwordResetCode: "codeMissing" } as const) : {}),
    ...newPasswordErrors(data),
  }),
};

function emailError({ email }: AuthData): FieldErrors {
  return isAuthEmail(email) ? {} : { email: "EMAIL_VALIDATION_ERROR" };
}

/** spec §5: passwords that differ are an error of both fields, whatever else is wrong with them. */
export function newPasswordErrors({
  password,
  passwordConfirm,
  email,
}: Pick<AuthData, "password" | "passwordConfirm" | "email">): FieldErrors {
  if (password !== passwordConfirm)
    return { password: "PASSWORD_DO_NOT_MATCH_ERROR", passwordConfirm: "PASSWORD_DO_NOT_MATCH_ERROR" };
  return passwordProblems(password, email).length > 0 ? { password: "passwordRules" } : {};
}

/** The fields of each dialog from top to bottom: the first wrong one gets the focus. */
const FIELDS: Record<AuthDialog, readonly AuthField[]> = {
  login: ["email", "password", "secondFactorCode"],
  register: ["email", "password", "passwordConfirm", "isTermsAccepted"],
  restore: ["email"],
  newPassword: ["passwordResetCode", "password", "passwordConfirm"],
};

export const firstWrong = (dialog: AuthDialog, errors: FieldErrors): AuthField | null =>
  FIELDS[dialog].find((field) => errors[field] !== undefined) ?? null;

/** A code as people copy it: blanks and hyphens go. Crockford's base32 (contract §8) knows no O, I and L. */
export const cleanResetCode = (typed: string): string =>
  typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1").slice(0, 8);
