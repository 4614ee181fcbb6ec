import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notify } from "../../../shared/page/notifications.ts";
import { PasswordField } from "../dialogs/password-field.tsx";
import { PasswordHelp } from "../dialogs/password-help.tsx";
import { newPasswordErrors } from "../model/form.ts";
import { changePassword } from "../api.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { Row } from "../../../shared/account/row.tsx";
import { useDialogState } from "../profile/use-dialog-state.ts";
import { useRequest } from "../../../shared/account/use-request.ts";

export function PasswordRow({ email }: { readonly email: string }) {
  const { t } = useTranslation("account");
  const dialog = useDialogState();
  return (
    <>
      <Row title={t("field.password")} text={t("info.password")} action={t("info.change")} onAction={dialog.open} />
      <PasswordDialog key={dialog.key} email={email} open={dialog.isOpen} onClose={dialog.close} />
    </>
  );
}

type PasswordDialogProps = { readonly email: string; readonly open: boolean; readonly onClose: () => void };

function PasswordDialog({ email, open, onClose }: PasswordDialogProps) {
  const { t } = useTranslation("account");
  const request = useRequest();
  const [typed, setTyped] = useState({ password: "", passwordConfirm: "" });
  const [isChecked, setChecked] = useState(false);
  const found = newPasswordErrors({ ...typed, email });
  const errors = isChecked ? found : {};
  const type = (change: Partial<typeof typed>) => {
    setChecked(false);
    request.forget();
    setTyped({ ...typed, ...change });
  };
  const submit = async () => {
    setChecked(true);
    if (Object.keys(found).length > 0 || !(await request.run(() => changePassword(typed.password)))) return;
    notify({ type: "success", message: t("changePassword.done") });
    onClose();
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t("newPassword.title")}
      submitLabel={t("newPassword.submit")}
      busyLabel={t("newPassword.busy")}
      isPending={request.isPending}
      failure={request.failure}
      onSubmit={() => void submit()}
    >
      <p className="w-auth__text">{t("changePassword.text")}</p>
      <PasswordField
        id="change-password"
        label={t("field.newPassword")}
        autoComplete="new-password"
        helpId="change-password-help"
        value={typed.password}
        onValue={(password) => type({ password })}
        error={errors.password === undefined ? request.fieldError : t(`error.${errors.password}`)}
      />
      <PasswordHelp id="change-password-help" password={typed.password} email={email} />
      <PasswordField
        id="change-password-again"
        label={t("field.newPasswordConfirm")}
        autoComplete="new-password"
        value={typed.passwordConfirm}
        onValue={(passwordConfirm) => type({ passwordConfirm })}
        error={errors.passwordConfirm === undefined ? null : t(`error.${errors.passwordConfirm}`)}
      />
    </ActionDialog>
  );
}
