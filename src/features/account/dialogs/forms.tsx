import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { TermsLink } from "../../../shared/page/terms-link.tsx";
import { Button } from "../../../shared/ui/index.ts";
import type { AuthDialog } from "../../../shared/account/auth-fields.ts";
import { switchAuthDialog, useAuth } from "../store.ts";
import { EmailField, NewPassword, OldPassword, ResetCode, SecondFactorCode, Terms } from "./fields.tsx";

/** The fields of each dialog (picture 45). */
export const FORMS: Record<AuthDialog, ComponentType> = {
  login: LoginFields,
  register: RegisterFields,
  restore: RestoreFields,
  newPassword: NewPasswordFields,
};

/** Where each dialog leads besides its own button. */
export const DIALOG_LINKS: Record<AuthDialog, ComponentType> = {
  login: LoginLinks,
  register: () => <SwitchLink to="login" label="register.have" />,
  restore: () => <SwitchLink to="login" label="restore.back" />,
  newPassword: () => <SwitchLink to="restore" label="newPassword.again" />,
};

function LoginFields() {
  const { t } = useTranslation("account");
  const { asksSecondFactor } = useAuth();
  return asksSecondFactor ? (
    <>
      <p className="w-auth__text">{t("login.codeText")}</p>
      <SecondFactorCode />
    </>
  ) : (
    <>
      <EmailField before="password" />
      <OldPassword />
    </>
  );
}

function RegisterFields() {
  const { t } = useTranslation("account");
  return (
    <>
      <EmailField />
      <NewPassword isReset={false} />
      <Terms>{t("register.terms")}</Terms>
      <TermsLink>{t("register.termsLink")}</TermsLink>
    </>
  );
}

function RestoreFields() {
  const { t } = useTranslation("account");
  return (
    <>
      <p className="w-auth__text">{t("restore.text")}</p>
      <EmailField />
    </>
  );
}

function NewPasswordFields() {
  const { t } = useTranslation("account");
  const { data } = useAuth();
  return (
    <>
      <p className="w-auth__text">{t("newPassword.text", { email: data.email })}</p>
      <ResetCode />
      <NewPassword isReset />
    </>
  );
}

type SwitchLinkProps = {
  readonly to: AuthDialog;
  readonly label: "login.forgot" | "login.create" | "register.have" | "restore.back" | "newPassword.again";
};

function LoginLinks() {
  return (
    <>
      <SwitchLink to="restore" label="login.forgot" />
      <SwitchLink to="register" label="login.create" />
    </>
  );
}

function SwitchLink({ to, label }: SwitchLinkProps) {
  const { t } = useTranslation("account");
  return (
    <Button variant="plain" onClick={() => switchAuthDialog(to)}>
      {t(label)}
    </Button>
  );
}
