import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cleanEmail } from "../../../shared/format/email.ts";
import { Checkbox, TextField } from "../../../shared/ui/index.ts";
import type { AuthField, FieldError } from "../../../shared/account/auth-fields.ts";
import { auth, changeAuthData, useAuth } from "../store.ts";
import { PasswordField } from "./password-field.tsx";
import { PasswordHelp } from "./password-help.tsx";

/** The id of a field's control: the first wrong one gets the focus by it. */
export const fieldId = (field: AuthField): string => `auth-${field}`;

type Marked = { readonly error: string | null; readonly errorId?: string };

/** Where two fields have one error, only the last of them says it (picture 45): the first is marked. */
function useError(field: AuthField, last: AuthField = field): Marked {
  const { t } = useTranslation("account");
  const { errors } = useAuth();
  const error: FieldError | undefined = errors[field];
  if (error === undefined) return { error: null };
  if (last !== field && errors[last] === error) return { error: null, errorId: `${fieldId(last)}-error` };
  return { error: t(`error.${error}`) };
}

export function EmailField({ before }: { readonly before?: AuthField }) {
  const { t } = useTranslation("account");
  const { t: common } = useTranslation();
  const { data, hadPlus } = useAuth();
  const type = (typed: string) => {
    const cleaned = cleanEmail(typed);
    auth.hadPlus = cleaned.hadPlus || (auth.hadPlus && cleaned.email !== "");
    changeAuthData({ email: cleaned.email });
  };
  return (
    <TextField
      id={fieldId("email")}
      name="email"
      type="email"
      inputMode="email"
      autoComplete="username"
      maxLength={254}
      required
      label={t("field.email")}
      hint={hadPlus ? common("emailPlus") : undefined}
      value={data.email}
      onValue={type}
      {...useError("email", before)}
    />
  );
}

export function OldPassword() {
  const { t } = useTranslation("account");
  const { data } = useAuth();
  return (
    <PasswordField
      id={fieldId("password")}
      label={t("field.password")}
      autoComplete="current-password"
      value={data.password}
      onValue={(password) => changeAuthData({ password })}
      {...useError("password")}
    />
  );
}

const HELP = "auth-password-help";

/** A new password, typed twice. */
export function NewPassword({ isReset }: { readonly isReset: boolean }) {
  const { t } = useTranslation("account");
  const { data } = useAuth();
  return (
    <>
      <PasswordField
        id={fieldId("password")}
        label={t(isReset ? "field.newPassword" : "field.password")}
        autoComplete="new-password"
        helpId={HELP}
        value={data.password}
        onValue={(password) => changeAuthData({ password })}
        {...useError("password", "passwordConfirm")}
      />
      <PasswordHelp id={HELP} password={data.password} email={data.email} />
      <PasswordField
        id={fieldId("passwordConfirm")}
        label={t(isReset ? "field.newPasswordConfirm" : "field.passwordConfirm")}
        autoComplete="new-password"
        value={data.passwordConfirm}
        onValue={(passwordConfirm) => changeAuthData({ passwordConfirm })}
        {...useError("passwordConfirm")}
      />
    </>
  );
}

export function Terms({ children }: { readonly children: ReactNode }) {
  const { data } = useAuth();
  return (
    <Checkbox
      name="terms"
      checked={data.isTermsAccepted}
      onChecked={(isTermsAccepted) => changeAuthData({ isTermsAccepted })}
      label={children}
      {...useError("isTermsAccepted")}
    />
  );
}

export function ResetCode() {
  const { t } = useTranslation("account");
  const { data } = useAuth();
  return (
    <TextField
      id={fieldId("passwordResetCode")}
      name="code"
      autoComplete="one-time-code"
      maxLength={32}
      mono
      required
      label={t("newPassword.code")}
      value={data.passwordResetCode}
      onValue={(passwordResetCode) => changeAuthData({ passwordResetCode })}
      {...useError("passwordResetCode")}
    />
  );
}

export function SecondFactorCode() {
  const { t } = useTranslation("account");
  const { data } = useAuth();
  return (
    <TextField
      id={fieldId("secondFactorCode")}
      name="otp"
      autoComplete="one-time-code"
      maxLength={64}
      mono
      required
      label={t("login.code")}
      hint={t("login.codeHint")}
      value={data.secondFactorCode}
      onValue={(secondFactorCode) => changeAuthData({ secondFactorCode: secondFactorCode.trim() })}
      {...useError("secondFactorCode")}
    />
  );
}
