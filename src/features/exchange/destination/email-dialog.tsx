import { type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cleanEmail, isEmail } from "../../../shared/format/email.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { Checkbox, Dialog, PrimaryAction, SecondaryAction, TextField } from "../../../shared/ui/index.ts";
import { useCreateLabel } from "./order-summary.tsx";
import { forgetEmail, rememberedEmail, rememberEmail } from "../store/remembered-email.ts";
import "./destination-step.css";

type EmailSheetProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Null for an order without an email. */
  readonly onCreate: (userEmail: string | null) => void;
};

/** Asks where updates go, and takes no for an answer (spec §4, exchange flow). */
export function EmailSheet({ open, onClose, onCreate }: EmailSheetProps) {
  const { t } = useTranslation("exchange");
  const { t: common } = useTranslation();
  const nativeLabel = useCreateLabel();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(() => ({ email: rememberedEmail() ?? "", hadPlus: false }));
  const [isRemembered, setRemembered] = useState(true);
  const [isInvalid, setInvalid] = useState(false);

  const type = (value: string) => {
    const cleaned = cleanEmail(value);
    setInvalid(false);
    setTyped((before) => ({
      email: cleaned.email,
      hadPlus: cleaned.hadPlus || (before.hadPlus && cleaned.email !== ""),
    }));
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await isEmail(typed.email))) {
      setInvalid(true);
      playHaptic("failed");
      field.current?.focus();
      return;
    }
    if (isRemembered) rememberEmail(typed.email);
    else forgetEmail();
    onCreate(typed.email);
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("email.title")}
      initialFocus={field}
      footer={
        <div className="w-email-sheet__actions">
          <PrimaryAction type="submit" form={form} stretched nativeLabel={nativeLabel}>
            {t("destination.create")}
          </PrimaryAction>
          <SecondaryAction stretched onClick={() => onCreate(null)}>
            {t("email.skip")}
          </SecondaryAction>
        </div>
      }
    >
      <form id={form} className="w-email-sheet" noValidate onSubmit={(event) => void submit(event)}>
        <p className="w-email-sheet__text">{t("email.text")}</p>
        <TextField
          ref={field}
          id="order-email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          label={t("email.label")}
          hint={typed.hadPlus ? common("emailPlus") : undefined}
          value={typed.email}
          onValue={type}
          error={isInvalid ? t("email.EMAIL_VALIDATION_ERROR") : null}
        />
        <Checkbox name="remember" checked={isRemembered} onChecked={setRemembered} label={t("email.remember")} />
      </form>
    </Dialog>
  );
}
