import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cleanEmail } from "../../../shared/format/email.ts";
import { notify } from "../../../shared/page/notifications.ts";
import { TextField } from "../../../shared/ui/index.ts";
import { checkForm, cleanResetCode, emptyAuthData } from "../model/form.ts";
import { confirmEmail, mailEmailCode } from "../api.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { CodeField } from "./code-field.tsx";
import { Row } from "../../../shared/account/row.tsx";
import { useDialogState } from "../profile/use-dialog-state.ts";
import { useRequest } from "../../../shared/account/use-request.ts";

/** The account's email, and the way to another one: a code goes to the new address first. */
export function EmailRow({ email }: { readonly email: string | null }) {
  const { t } = useTranslation("account");
  const dialog = useDialogState();
  return (
    <>
      <Row
        title={t("field.email")}
        text={email ?? t("info.noEmail")}
        action={t("info.change")}
        onAction={dialog.open}
      />
      <EmailDialog key={dialog.key} open={dialog.isOpen} onClose={dialog.close} />
    </>
  );
}

function EmailDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation("account");
  const request = useRequest();
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [isMailed, setMailed] = useState(false);
  const [isInvalid, setInvalid] = useState(false);
  const submit = async () => {
    if (isMailed) {
      const sent = cleanResetCode(code);
      if (sent === "") return request.refuse("codeMissing");
      if (!(await request.run(() => confirmEmail(sent)))) return;
      notify({ type: "success", message: t("changeEmail.done") });
      return onClose();
    }
    const isWrong = checkForm("restore", { ...emptyAuthData(), email }, false).email !== undefined;
    setInvalid(isWrong);
    if (!isWrong && (await request.run(() => mailEmailCode(email)))) setMailed(true);
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t("changeEmail.title")}
      submitLabel={t(isMailed ? "changeEmail.submit" : "restore.submit")}
      busyLabel={t(isMailed ? "changeEmail.busy" : "restore.busy")}
      isPending={request.isPending}
      failure={request.failure}
      onSubmit={() => void submit()}
    >
      <p className="w-auth__text">{isMailed ? t("changeEmail.sent", { email }) : t("changeEmail.text")}</p>
      {isMailed ? (
        <CodeField
          value={code}
          onValue={(value) => {
            setCode(value);
            request.forget();
          }}
          error={request.fieldError}
        />
      ) : (
        <TextField
          id="new-email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          label={t("changeEmail.email")}
          value={email}
          onValue={(value) => {
            setInvalid(false);
            request.forget();
            setEmail(cleanEmail(value).email);
          }}
          error={isInvalid ? t("error.EMAIL_VALIDATION_ERROR") : request.fieldError}
        />
      )}
    </ActionDialog>
  );
}
