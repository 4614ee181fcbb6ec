import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { forgetVerificationDraft } from "../../../shared/browser/verification-draft.ts";
import { SeenNote } from "../../../shared/account/seen-note.tsx";
import { Skeleton, Steps } from "../../../shared/ui/index.ts";
import type { ProfilePageProps } from "../../../shared/account/profile-page-props.ts";
import { useVerificationStatus } from "../api.ts";
import { DocumentForm } from "./document-form.tsx";
import { type Draft, emptyDraft } from "../model/draft.ts";
import { verificationProgress } from "../model/upload-step.ts";
import { readDraft, saveDraft } from "./saved-draft.ts";
import { StatusCard } from "./status-card.tsx";
import "./verification.css";
import "./photos.css";

/** `/profile/verification`: how the check of the identity stands, and the form for it (contract §10). */
export function VerificationPage({ account: { userId } }: ProfilePageProps) {
  // Nothing of one person is left on the page when another one signs in.
  return <Verification key={userId} userId={userId} />;
}

function Verification({ userId }: { readonly userId: number }) {
  const status = useVerificationStatus(userId);
  const known = status.data;
  const [isAnswer, setAnswer] = useState(false);
  const [isStarted, setStarted] = useState(false);
  const [draft, changeDraft, forgetDraft] = useDraft(userId);
  if (known === undefined && status.hasFailed) return <SeenNote of={[status]} />;
  if (known === undefined || draft === null) return <Skeleton width="100%" height={88} />;
  const maySend = known.status === "NOT_STARTED" || known.status === "REJECT";
  const step = maySend ? draft.step : "NONE";
  return (
    <>
      <SeenNote of={[status]} />
      <ProgressSteps done={verificationProgress(step, known.status)} />
      {step === "NONE" ? (
        <StatusCard
          {...known}
          isAnswer={isAnswer}
          hasDraft={draft.issueCountry !== ""}
          onStart={() => {
            setAnswer(false);
            setStarted(true);
            changeDraft((now) => ({ ...now, step: "RESIDENTIAL" }));
          }}
        />
      ) : (
        <DocumentForm
          draft={draft}
          isStarted={isStarted}
          onDraft={changeDraft}
          onSent={async (answered) => {
            // spec §4: the status is fetched, and the upload step is NONE again.
            await forgetDraft();
            await status.reload(answered);
            setAnswer(true);
          }}
        />
      )}
    </>
  );
}

type ChangeDraft = (change: (now: Draft) => Draft) => void;

/**
 * The draft of this person, once the device was asked for it; every change is saved. And what changes it, and forgets it. A change is made
 * to the draft as it is then: two photos that are prepared at once both stay.
 */
function useDraft(userId: number): readonly [Draft | null, ChangeDraft, () => Promise<void>] {
  const [draft, setDraft] = useState<Draft | null>(null);
  const latest = useRef<Draft | null>(null);
  useEffect(() => {
    let isGone = false;
    void readDraft(userId, Date.now()).then((saved) => {
      if (isGone) return;
      latest.current ??= saved ?? emptyDraft();
      setDraft(latest.current);
    });
    return () => {
      isGone = true;
    };
  }, [userId]);
  const change: ChangeDraft = (changed) => {
    const next = changed(latest.current ?? emptyDraft());
    latest.current = next;
    setDraft(next);
    void saveDraft(userId, next, Date.now());
  };
  const forget = async () => {
    latest.current = emptyDraft();
    setDraft(latest.current);
    await forgetVerificationDraft();
  };
  return [draft, change, forget];
}

const PARTS = ["details", "check", "confirmed"] as const;

/** The verification progress indicator (spec §4): `done` of its three parts are over. */
function ProgressSteps({ done }: { readonly done: 0 | 1 | 3 }) {
  const { t } = useTranslation("verification");
  const steps = PARTS.map((part, at) => ({
    label: t(`progress.${part}`),
    state: at < done ? ("done" as const) : at === done ? ("now" as const) : ("next" as const),
  }));
  return <Steps label={t("progress.label")} steps={steps} />;
}
