import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cleanEmail } from "../../../shared/format/email.ts";
import { notify } from "../../../shared/page/notifications.ts";
import { useExternalLinks } from "../../../shared/page/page-context.ts";
import { TextField } from "../../../shared/ui/index.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import { PasswordField } from "../dialogs/password-field.tsx";
import { unlinkTelegram, authenticateInTelegram, linkTelegram, reloadAccount } from "../api.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { Row } from "../../../shared/account/row.tsx";
import { useDialogState } from "../profile/use-dialog-state.ts";
import { useRequest } from "../../../shared/account/use-request.ts";
import { accessToken, setAccessToken } from "../../../shared/http/access-token.ts";
import { loadTelegramClient } from "../../../telegram/load-client.ts";

type TelegramRowProps = { readonly email: string | null; readonly isLinked: boolean };

/** Linking takes Telegram's launch data, which only the mini-app has: there a Telegram account is joined to one with an email. */
export function TelegramRow({ email, isLinked }: TelegramRowProps) {
  const { t } = useTranslation("account");
  const { miniAppUrl } = useExternalLinks();
  const dialog = useDialogState();
  if (isLinked && email === null && isTelegram())
    return (
      <>
        <Row title="Telegram" text={t("telegram.alone")} action={t("telegram.link")} onAction={dialog.open} />
        <LinkDialog key={dialog.key} open={dialog.isOpen} onClose={dialog.close} />
      </>
    );
  if (isLinked && email !== null) return <LinkedRow />;
  if (isLinked) return <Row title="Telegram" text={t("telegram.alone")} />;
  if (miniAppUrl === null || isTelegram()) return null;
  return <Row title="Telegram" text={<a href={miniAppUrl}>{t("telegram.open")}</a>} />;
}

/** Without Telegram the email still opens the account; a Telegram session that unlinks goes on until it ends. */
function LinkedRow() {
  const { t } = useTranslation("account");
  const request = useRequest();
  const [isOpen, setOpen] = useState(false);
  const unlink = async () => {
    if (await request.run(unlinkTelegram)) notify({ type: "success", message: t("telegram.unlinked") });
  };
  return (
    <>
      <Row title="Telegram" text={t("telegram.linked")} action={t("telegram.unlink")} onAction={() => setOpen(true)} />
      <ActionDialog
        open={isOpen}
        onClose={() => {
          request.forget();
          setOpen(false);
        }}
        title={t("telegram.unlinkTitle")}
        submitLabel={t("telegram.unlinkSubmit")}
        busyLabel={t("telegram.unlinking")}
        isPending={request.isPending}
        failure={request.failure}
        isDangerous
        onSubmit={() => void unlink()}
      >
        <p className="w-auth__text">{t("telegram.unlinkText")}</p>
      </ActionDialog>
    </>
  );
}

const EMPTY = { email: "", password: "", code: "" };

function LinkDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation("account");
  const request = useRequest({ isSignIn: true });
  const [typed, setTyped] = useState(EMPTY);
  const type = (change: Partial<typeof EMPTY>) => {
    request.forget();
    setTyped({ ...typed, ...change });
  };
  const submit = async () => {
    if (!(await request.run(() => linkLocalAccount({ ...typed, code: typed.code.replace(/\s/g, "") })))) return;
    notify({ type: "success", message: t("telegram.done") });
    onClose();
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t("telegram.title")}
      submitLabel={t("telegram.submit")}
      busyLabel={t("telegram.busy")}
      isPending={request.isPending}
      failure={request.failure ?? request.fieldError}
      onSubmit={() => void submit()}
    >
      <p className="w-auth__text">{t("telegram.text")}</p>
      <TextField
        id="link-email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        label={t("field.email")}
        value={typed.email}
        onValue={(value) => type({ email: cleanEmail(value).email })}
      />
      <PasswordField
        id="link-password"
        label={t("field.password")}
        autoComplete="current-password"
        value={typed.password}
        onValue={(password) => type({ password })}
        error={null}
      />
      <TextField
        id="link-code"
        name="otp"
        autoComplete="one-time-code"
        mono
        label={t("telegram.code")}
        hint={t("telegram.codeHint")}
        value={typed.code}
        onValue={(code) => type({ code })}
      />
    </ActionDialog>
  );
}

type LocalSignIn = { readonly email: string; readonly password: string; readonly code: string };

/**
 * Inside Telegram: joins the Telegram user to the local account that email and password open (contract §8). Where the service refuses it,
 * the Telegram account stays signed in.
 */
async function linkLocalAccount({ email, password, code }: LocalSignIn): Promise<void> {
  const initData = (await loadTelegramClient())?.initData ?? "";
  const before = accessToken();
  const second = code === "" ? {} : { code };
  const { accessToken: local } = await authenticateInTelegram({ email, password, initData, ...second });
  if (local === undefined) throw new Error("the service opened no session for Telegram");
  setAccessToken(local);
  try {
    await linkTelegram(initData);
  } catch (error) {
    setAccessToken(before);
    throw error;
  }
  await reloadAccount();
}
