import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton, Dialog, ForeignText, Note, PrimaryAction, QrCode, TextField } from "../../../shared/ui/index.ts";
import { confirmSecondFactor } from "../api.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";
import "./second-factor.css";

export type SecondFactorKey = { readonly secret: string; readonly uri: string };

type KeyDialogProps = {
  readonly given: SecondFactorKey | null;
  readonly onClose: () => void;
  readonly onConfirmed: (codes: readonly string[]) => void;
};

const QR_PX = 176;

/** The key for the authenticator app, and the first code that proves that it has it. */
export function SecondFactorKeyDialog({ given, onClose, onConfirmed }: KeyDialogProps) {
  const { t } = useTranslation("account");
  const request = useRequest();
  const [code, setCode] = useState("");
  const type = (value: string) => {
    setCode(value);
    request.forget();
  };
  const close = () => {
    type("");
    onClose();
  };
  const confirm = async () => {
    const sent = code.replace(/\s/g, "");
    if (sent === "") return request.refuse("codeMissing");
    await request.run(async () => {
      const codes = await confirmSecondFactor(sent);
      setCode("");
      onConfirmed(codes);
    });
  };
  return (
    <ActionDialog
      open={given !== null}
      onClose={close}
      title={t("secondFactor.addTitle")}
      submitLabel={t("secondFactor.confirm")}
      busyLabel={t("secondFactor.busy")}
      isPending={request.isPending}
      failure={request.failure}
      onSubmit={() => void confirm()}
    >
      <p className="w-auth__text">{t("secondFactor.scan")}</p>
      {given === null ? null : (
        <div className="w-profile__key">
          <QrCode text={given.uri} alt={t("secondFactor.qr")} size={QR_PX} />
          <p className="w-mono w-profile__secret">
            <ForeignText>{given.secret.replace(/(.{4})(?=.)/g, "$1 ")}</ForeignText>
          </p>
          <CopyButton
            value={given.secret}
            label={t("secondFactor.copy")}
            copiedLabel={t("info.copied")}
            failedLabel={t("info.notCopied")}
          />
        </div>
      )}
      <TextField
        id="second-factor-code"
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={16}
        mono
        label={t("login.code")}
        value={code}
        onValue={type}
        error={request.fieldError}
      />
    </ActionDialog>
  );
}

type RecoveryCodesProps = { readonly codes: readonly string[] | null; readonly onClose: () => void };

/** Shown once (contract §8): only whoever says that they are saved closes them. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation("account");
  const [isHeld, setHeld] = useState(false);
  const close = () => {
    setHeld(false);
    onClose();
  };
  return (
    <Dialog
      open={codes !== null}
      onClose={() => setHeld(true)}
      title={t("recovery.title")}
      footer={
        <PrimaryAction stretched onClick={close}>
          {t("recovery.done")}
        </PrimaryAction>
      }
    >
      <div className="w-auth">
        <Note tone={isHeld ? "danger" : "info"} title={t(isHeld ? "recovery.held" : "recovery.note")}>
          {t("recovery.text")}
        </Note>
        <ul className="w-profile__codes w-mono">
          {codes?.map((code) => (
            <li key={code}>
              <ForeignText>{code}</ForeignText>
            </li>
          ))}
        </ul>
        <CopyButton
          stretched
          value={(codes ?? []).join("\n")}
          label={t("recovery.copy")}
          copiedLabel={t("info.copied")}
          failedLabel={t("info.notCopied")}
        />
      </div>
    </Dialog>
  );
}
