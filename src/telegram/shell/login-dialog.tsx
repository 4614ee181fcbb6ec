import { useState } from "react";
import { useSnapshot } from "valtio";
import { account } from "../../shared/account/account.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { useTranslation } from "react-i18next";
import { Button, Dialog, Note } from "../../shared/ui/index.ts";
import "./login-dialog.css";

type LoginDialogProps = {
  /** Why the reader could not be signed in at first. */
  readonly failure: unknown;
  /** Tries again; rejects with the next failure. */
  readonly onRetry: () => Promise<void>;
};

/** The login dialog inside Telegram: it can only try again, or leave a guest (spec §4). */
export function LoginDialog({ failure, onRetry }: LoginDialogProps) {
  const { t } = useTranslation("telegram");
  const { showLoginDialog } = useSnapshot(account);
  const [last, setLast] = useState(failure);
  const [isTrying, setTrying] = useState(false);
  const close = () => {
    account.showLoginDialog = false;
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
        <div className="w-login-dialog__ways">
          <Button stretched busyLabel={isTrying ? t("signIn.retrying") : null} onClick={() => void retry()}>
            {t("signIn.retry")}
          </Button>
          <Button stretched variant="plain" onClick={close}>
            {t("signIn.continue")}
          </Button>
        </div>
      }
    >
      {/* A new one is announced anew. */}
      {isTrying ? null : (
        <Note tone="danger" title={t(isPassing(last) ? "signIn.failed" : "signIn.refused")}>
          {t("signIn.guest")}
        </Note>
      )}
    </Dialog>
  );
}

/** Anything but a refusal of the launch data may be over at the next try. */
const isPassing = (failure: unknown): boolean =>
  !(failure instanceof CallError) || failure.code !== "ERR_INVALID_CREDENTIALS";
