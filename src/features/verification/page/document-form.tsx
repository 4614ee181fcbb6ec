import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { VerificationStatus } from "#contract/accounts/verification.ts";
import { BottomBar, Button, Note, PrimaryAction } from "../../../shared/ui/index.ts";
import { CountryStep, DetailsStep, DocumentStep, ReadyStep } from "./form-steps.tsx";
import { checkStep, type Draft, type DraftErrors, photosLeft, STEP_FIELDS } from "../model/draft.ts";
import { stepAfter, stepBefore, UPLOAD_STEPS } from "../model/upload-step.ts";
import { PhotosStep } from "./photos-step.tsx";
import { useSubmit } from "./use-submit.ts";

type DocumentFormProps = {
  readonly draft: Draft;
  /** Opened by the button of the screen before, which went with the focus. */
  readonly isStarted: boolean;
  readonly onDraft: (change: (now: Draft) => Draft) => void;
  readonly onSent: (status: VerificationStatus) => Promise<void>;
};

const TOTAL = UPLOAD_STEPS.length - 1;
const isoToday = (): string => new Date().toISOString().slice(0, 10);

/** The five steps of the form (spec §4), one screen each; what was typed on any of them stays. */
export function DocumentForm({ draft, isStarted, onDraft, onSent }: DocumentFormProps) {
  const { t } = useTranslation("verification");
  const formId = useId();
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const { step } = draft;
  const found = checkStep(step, draft, isoToday());
  const errors: DraftErrors = isChecked ? found : {};
  const heading = useFocusOnChange(step, isStarted);
  const change = (changes: Partial<Draft>) => onDraft((now) => ({ ...now, ...changes }));
  const go = (next: Draft["step"]) => {
    setChecked(false);
    change({ step: next });
  };
  const send = async () => {
    const sent = await submit.send(draft, isoToday());
    if (sent.kind === "fields") go(sent.step);
    if (sent.kind === "sent") await onSent(sent.status);
  };
  const proceed = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const [first] = STEP_FIELDS[step].filter((field) => found[field] !== undefined);
    if (first !== undefined) focusField(form.current, first);
    else if (step !== "UPLOADING_DOCS") go(stepAfter(step));
    else if (photosLeft(draft) === 0) void send();
  };
  const count = Object.keys(errors).length;
  const isLast = step === "UPLOADING_DOCS";
  const left = isLast ? photosLeft(draft) : 0;
  return (
    <form id={formId} ref={form} className="w-check-form" noValidate onSubmit={proceed}>
      <div className="w-check-form__head">
        <StepBars at={UPLOAD_STEPS.indexOf(step)} />
        <p className="w-check-form__step">{t("step", { number: UPLOAD_STEPS.indexOf(step), total: TOTAL })}</p>
        <h2 ref={heading} className="w-check-form__title" tabIndex={-1}>
          {step === "NONE" ? null : t(`${step}.title`)}
        </h2>
      </div>
      {submit.failure === null ? null : <Note tone="danger" title={t(`failed.${submit.failure}`)} />}
      {step === "RESIDENTIAL" ? <CountryStep draft={draft} errors={errors} onChange={change} /> : null}
      {step === "TYPE_ID" ? <DocumentStep draft={draft} errors={errors} onChange={change} /> : null}
      {step === "PERSONAL_INFO" ? <DetailsStep draft={draft} errors={errors} onChange={change} /> : null}
      {step === "GET_READY" ? <ReadyStep /> : null}
      {isLast ? (
        <PhotosStep
          draft={draft}
          problems={submit.problems}
          onPhotos={(changed) => onDraft((now) => ({ ...now, photos: changed(now.photos) }))}
        />
      ) : null}
      <div className="w-check-form__actions">
        {count > 0 ? <p role="status">{t("wrong", { count })}</p> : null}
        {left > 0 ? <p role="status">{t("UPLOADING_DOCS.left", { count: left })}</p> : null}
      </div>
      <BottomBar>
        <PrimaryAction
          type="submit"
          form={formId}
          stretched
          disabled={left > 0 || (isLast && !submit.isOnline)}
          busyLabel={submit.isPending ? t("UPLOADING_DOCS.busy") : null}
        >
          {isLast ? t(submit.isOnline ? "UPLOADING_DOCS.submit" : "UPLOADING_DOCS.offline") : t("next")}
        </PrimaryAction>
      </BottomBar>
      <Button variant="plain" stretched disabled={submit.isPending} onClick={() => go(stepBefore(step))}>
        {t("back")}
      </Button>
    </form>
  );
}

/** Drawn beside the words that say the same. */
const StepBars = ({ at }: { readonly at: number }) => (
  <span className="w-check-form__bars" aria-hidden="true">
    {Array.from({ length: TOTAL }, (_, index) => (
      <span key={index} className={index < at ? "w-check-form__bar w-check-form__bar--done" : "w-check-form__bar"} />
    ))}
  </span>
);

/** A new step begins at its heading, for those who can't see that the screen has changed. */
function useFocusOnChange(step: string, isNew: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(isNew ? null : step);
  useEffect(() => {
    if (before.current !== step) heading.current?.focus();
    before.current = step;
  }, [step]);
  return heading;
}

function focusField(form: HTMLFormElement | null, name: string): void {
  form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
}
