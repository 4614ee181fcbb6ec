import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "#contract/site/ssr.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { notify, SHORT_TIMEOUT_MS } from "../../../shared/page/notifications.ts";
import { classNames, Dialog, Note, PrimaryAction, Button, Icon } from "../../../shared/ui/index.ts";
import type { AuthDialog } from "../../../shared/account/auth-fields.ts";
import { firstWrong } from "../model/form.ts";
import { auth, closeAuthDialog, type LoginNote, useAuth } from "../store.ts";
import { submitAuthDialog } from "./submit.ts";
import { fieldId } from "./fields.tsx";
import { FORMS, DIALOG_LINKS } from "./forms.tsx";
import "../../../shared/account/action-dialog.css";
import "./dialogs.css";

type AuthDialogsProps = {
  readonly api: Api;
  /** Where the mini-app opens; null without one. */
  readonly telegramUrl: string | null;
  /** Goes to the page that was asked for; null where the person stays. */
  readonly onSignedIn: (next: string | null) => void;
  /** The dialog was left without signing in. */
  readonly onLeft?: (note: LoginNote | null) => void;
};

/** The dialogs of signing in (spec §4): one native dialog whose content changes. */
export function AuthDialogs({ api, telegramUrl, onSignedIn, onLeft }: AuthDialogsProps) {
  const { t } = useTranslation("account");
  const state = useAuth();
  const { dialog, asksSecondFactor } = state;
  // While it closes, its content stays.
  const [shown, setShown] = useState<AuthDialog>(dialog ?? "login");
  if (dialog !== null && dialog !== shown) setShown(dialog);
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const locale = useLocale();
  const isOnline = useOnline();
  useFocus(form, dialog === null ? null : `${dialog} ${asksSecondFactor}`);
  const Fields = FORMS[shown];
  const Links = DIALOG_LINKS[shown];

  const close = () => {
    const { note } = auth;
    closeAuthDialog();
    onLeft?.(note);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isOnline) return;
    await submitAuthDialog({
      api,
      locale,
      onSignedIn: (next, isNew) => {
        if (isNew) notify({ type: "success", message: t("welcome"), timeoutMs: SHORT_TIMEOUT_MS });
        onSignedIn(next);
      },
      onConflict: () => notify({ type: "error", message: t("failed.error_notify_title"), timeoutMs: SHORT_TIMEOUT_MS }),
    });
    const wrong = auth.dialog === null ? null : firstWrong(auth.dialog, auth.errors);
    if (wrong !== null) form.current?.querySelector<HTMLElement>(controlOf(wrong))?.focus();
  };

  return (
    <Dialog open={dialog !== null} onClose={close} title={t(`${shown}.title`)}>
      <form ref={form} id={formId} className="w-auth" noValidate onSubmit={(event) => void submit(event)}>
        <Notes />
        {shown === "login" && !asksSecondFactor && telegramUrl !== null ? (
          <TelegramSignInLink href={telegramUrl} />
        ) : null}
        <Fields />
        <PrimaryAction
          type="submit"
          form={formId}
          stretched
          disabled={!isOnline}
          busyLabel={state.isPending ? t(`${shown}.busy`) : null}
        >
          {isOnline ? t(`${shown}.submit`) : t("failed.offline")}
        </PrimaryAction>
        <div className={classNames("w-auth__ways", shown !== "login" && "w-auth__ways--centred")}>
          <Links />
        </div>
      </form>
    </Dialog>
  );
}

function Notes() {
  const { t } = useTranslation("account");
  const { note, failure } = useAuth();
  if (failure !== null) return <Note tone="danger" title={t(`failed.${failure}`)} />;
  if (note === null) return null;
  if (note === "page") return <Note tone="info" title={t("note.page")} />;
  return (
    <Note tone={note === "ended" ? "info" : "success"} title={t(`note.${note}`)}>
      {t(`note.${note}Text`)}
    </Note>
  );
}

const controlOf = (field: Parameters<typeof fieldId>[0]): string =>
  field === "isTermsAccepted" ? "[name=terms]" : `#${fieldId(field)}`;

/** The first empty field, after the dialog has opened and after each change of its content. */
function useFocus(form: React.RefObject<HTMLFormElement | null>, content: string | null): void {
  useEffect(() => {
    if (content === null) return;
    const inputs = [...(form.current?.querySelectorAll<HTMLInputElement>("input:not([type=checkbox])") ?? [])];
    (inputs.find(({ value }) => value === "") ?? inputs[0])?.focus();
  }, [form, content]);
}

/** Signs in by the mini-app, which knows its user (picture 45). The app opens beside this page: what was typed here stays. */
function TelegramSignInLink({ href }: { readonly href: string }) {
  const { t } = useTranslation("account");
  return (
    <>
      <Button variant="outline" size="l" stretched href={href} isNewTab icon={<Icon name="telegram" />}>
        {t("login.telegram")}
      </Button>
      <p className="w-auth__or">{t("login.orEmail")}</p>
    </>
  );
}
