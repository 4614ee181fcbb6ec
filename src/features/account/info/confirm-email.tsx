import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notify } from "../../../shared/page/notifications.ts";
import { Button, Note } from "../../../shared/ui/index.ts";
import { cleanResetCode } from "../model/form.ts";
import { confirmEmail, mailEmailCode } from "../api.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";
import { CodeField } from "./code-field.tsx";

/** The step that is left after the registration: a mailed code proves that the email is theirs (contract §8). */
export function ConfirmEmail({ email }: { readonly email: string }) {
  const { t } = useTranslation("account");
  const mailing = useRequest();
  const confirming = useRequest();
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const mail = async (): Promise<boolean | null> => {
    confirming.forget();
    return mailing.run(() => mailEmailCode(email));
  };
  const open = async () => {
    setCode("");
    if (await mail()) setOpen(true);
  };
  const mailAgain = async () => {
    if (await mail()) notify({ type: "success", message: t("confirmEmail.sentAgain", { email }) });
  };
  const submit = async () => {
    const sent = cleanResetCode(code);
    if (sent === "") return confirming.refuse("codeMissing");
    if (!(await confirming.run(() => confirmEmail(sent)))) return;
    setOpen(false);
    notify({ type: "success", message: t("confirmEmail.done") });
  };
  const failure = mailing.failure ?? mailing.fieldError;
  return (
    <>
      <Note
        tone="info"
        title={t("confirmEmail.title")}
        action={
          <Button
            variant="soft"
            onClick={() => void open()}
            busyLabel={mailing.isPending && !isOpen ? t("restore.busy") : null}
          >
            {t("restore.submit")}
          </Button>
        }
      >
        {failure === null ? t("confirmEmail.text", { email }) : <span role="alert">{failure}</span>}
      </Note>
      <ActionDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t("confirmEmail.title")}
        submitLabel={t("confirmEmail.submit")}
        busyLabel={t("confirmEmail.busy")}
        isPending={confirming.isPending}
        failure={confirming.failure ?? mailing.failure}
        onSubmit={() => void submit()}
      >
        <p className="w-auth__text">{t("changeEmail.sent", { email })}</p>
        <CodeField
          value={code}
          onValue={(value) => {
            setCode(value);
            confirming.forget();
          }}
          error={confirming.fieldError}
        />
        <Button
          variant="plain"
          onClick={() => void mailAgain()}
          busyLabel={mailing.isPending ? t("restore.busy") : null}
        >
          {t("newPassword.again")}
        </Button>
      </ActionDialog>
    </>
  );
}
