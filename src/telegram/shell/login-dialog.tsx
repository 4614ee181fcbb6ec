import { useState } from "react";
import { useSnapshot } from "valtio";
import { account } from "../../shared/account/account.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { useTranslation } from "react-i18next";
import { Dialog, Note, PrimaryAction, SecondaryAction } from "../../shared/ui/index.ts";
import "./login-dialog.css";

type LoginDialogProps = {
  /** Why the user could not be signed in at first. */
  readonly error: unknown;
  /** Tries again; rejects with the next error. */
  readonly onRetry: () => Promise<void>;
  readonly onClose: () => void;
};

/** The login dialog inside Telegram: it can only try again, or continue as a guest (spec §4). */
export function LoginDialog({ error: firstError, onRetry, onClose }: LoginDialogProps) {
  const { t } = useTranslation("telegram");
  const { showLoginDialog } = useSnapshot(account);
  const [last, setLast] = useState(firstError);
  const [isTrying, setTrying] = useState(false);
  const close = () => {
    account.showLoginDialog = false;
    onClose();
  };
  const retry = async () => {
    setTrying(true);
    try {
      await onRetry();
      close();
    } catch (error) {
      setLast(error);
    } finally {
      setTrying(false);
    }
  };
  return (
    <Dialog
      open={showLoginDialog}
      onClose={close}
      title={t("signIn.title")}
      footer={
        <div className="w-login-dialog__actions">
          <PrimaryAction stretched busyLabel={isTrying ? t("signIn.retrying") : null} onClick={() => void retry()}>
            {t("signIn.retry")}
          </PrimaryAction>
          <SecondaryAction stretched onClick={close}>
            {t("signIn.continue")}
          </SecondaryAction>
        </div>
      }
    >
      {/* A new one is announced again. */}
      {isTrying ? null : (
        <Note tone="danger" title={t(isTransient(last) ? "signIn.failed" : "signIn.refused")}>
          {t("signIn.guest")}
        </Note>
      )}
    </Dialog>
  );
}

/** Anything but rejected launch data may be over at the next try. */
const isTransient = (error: unknown): boolean =>
  !(error instanceof CallError) || error.code !== "ERR_INVALID_CREDENTIALS";
