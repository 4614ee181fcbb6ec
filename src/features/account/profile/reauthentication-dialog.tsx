import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSnapshot } from "valtio";
import { useAccount } from "../../../shared/account/account.ts";
import { Dialog, PrimaryAction, TextField } from "../../../shared/ui/index.ts";
import { loadTelegramClient } from "../../../telegram/load-client.ts";
import { PasswordField } from "../dialogs/password-field.tsx";
import { readAuthFailure } from "../../../shared/account/failure.ts";
import { reauthenticate } from "../api.ts";
import { answerReauthentication, reauthentication } from "../../../shared/account/reauthentication.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";

const EMPTY = { password: "", code: "", error: null, failure: null } as const;
type State = { password: string; code: string; error: string | null; failure: string | null };

type ReauthenticationDialogProps = { readonly hasSecondFactor: boolean };

/** Asks once more who is signed in (contract §8). */
export function ReauthenticationDialog(props: ReauthenticationDialogProps) {
  const hasPassword = useAccount()?.email !== null;
  return hasPassword ? <PasswordDialog {...props} /> : <ReopenDialog />;
}

/** Telegram's user has no password: a new launch is what proves who it is. */
function ReopenDialog() {
  const { t } = useTranslation("account");
  const { isAsked } = useSnapshot(reauthentication);
  const close = async () => {
    answerReauthentication(false);
    (await loadTelegramClient())?.close();
  };
  return (
    <Dialog open={isAsked} onClose={() => answerReauthentication(false)} title={t("reauthenticate.title")}>
      <div className="w-auth">
        <p className="w-auth__text">{t("reauthenticate.reopen")}</p>
        <PrimaryAction stretched onClick={() => void close()}>
          {t("reauthenticate.close")}
        </PrimaryAction>
      </div>
    </Dialog>
  );
}

function PasswordDialog({ hasSecondFactor }: ReauthenticationDialogProps) {
  const { t } = useTranslation("account");
  const { isAsked } = useSnapshot(reauthentication);
  const [state, setState] = useState<State>(EMPTY);
  const [isPending, setPending] = useState(false);
  const change = (part: Partial<State>) => setState((before) => ({ ...before, error: null, failure: null, ...part }));
  const end = (isProven: boolean) => {
    setState(EMPTY);
    answerReauthentication(isProven);
  };
  const send = async () => {
    if (state.password === "") return change({ error: t("error.passwordMissing") });
    setPending(true);
    try {
      await reauthenticate(state.password, state.code);
      end(true);
    } catch (error) {
      const read = readAuthFailure(error, "login", false);
      if (read.kind === "fields" || read.kind === "secondFactor") change({ error: t("reauthenticate.wrong") });
      else change({ failure: t(`failed.${read.kind === "general" ? read.failure : "other"}`) });
    } finally {
      setPending(false);
    }
  };
  return (
    <ActionDialog
      open={isAsked}
      onClose={() => end(false)}
      title={t("reauthenticate.title")}
      submitLabel={t("reauthenticate.submit")}
      busyLabel={t("reauthenticate.busy")}
      isPending={isPending}
      failure={state.failure}
      onSubmit={() => void send()}
    >
      <p className="w-auth__text">{t("reauthenticate.text")}</p>
      <PasswordField
        id="reauthenticate-password"
        label={t("field.password")}
        autoComplete="current-password"
        value={state.password}
        onValue={(password) => change({ password })}
        error={state.error}
      />
      {hasSecondFactor ? (
        <TextField
          id="reauthenticate-code"
          name="otp"
          autoComplete="one-time-code"
          mono
          label={t("login.code")}
          hint={t("login.codeHint")}
          value={state.code}
          onValue={(code) => change({ code })}
        />
      ) : null}
    </ActionDialog>
  );
}
