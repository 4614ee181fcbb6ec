import { type ReactNode, type SubmitEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, Note } from "../../../../shared/ui/index.ts";
import type { InquiryState } from "./use-inquiry.ts";

type InquiryFormProps = {
  readonly inquiry: InquiryState;
  readonly intro: string;
  readonly submit: string;
  /** Where the answer goes. */
  readonly answerTo: string;
  /** The operator's own address, for when the form can't be used. */
  readonly operatorEmail: string | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

/** The frame of both forms: the fields, the button, and what became of the message. */
export function InquiryForm(props: InquiryFormProps) {
  const { inquiry, intro, submit, answerTo, operatorEmail, onSubmit, children } = props;
  const { t } = useTranslation("info");
  const answer = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const wasSent = useRef(false);
  useEffect(() => {
    // A long form is gone from above it: on a phone the answer would be off the screen.
    if (inquiry.number !== null) answer.current?.focus();
    // The button that asked for another one is gone.
    else if (wasSent.current) form.current?.querySelector<HTMLElement>("input, textarea")?.focus();
    wasSent.current = inquiry.number !== null;
  }, [inquiry.number]);
  if (inquiry.number !== null)
    return (
      <div ref={answer} role="status" tabIndex={-1}>
        <Note
          tone="success"
          title={t("form.sent", { number: inquiry.number })}
          action={
            <Button variant="soft" onClick={inquiry.reset}>
              {t("form.another")}
            </Button>
          }
        >
          {t("form.sentText", { email: answerTo })}
        </Note>
      </div>
    );
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={form} className="w-info__form" onSubmit={send} noValidate>
      <p>{intro}</p>
      {children}
      {inquiry.failure === null ? null : (
        <Note tone="danger" title={t(`form.failed.${inquiry.failure}`)}>
          {t(`form.next.${inquiry.failure}`)}{" "}
          {operatorEmail === null ? null : t("form.orWrite", { email: operatorEmail })}
        </Note>
      )}
      <Button type="submit" disabled={!inquiry.isOnline} busyLabel={inquiry.isPending ? t("form.sending") : null}>
        {inquiry.isOnline ? submit : t("form.offline")}
      </Button>
    </form>
  );
}
