import { useState } from "react";
import {
  PHOTO_FIELDS,
  PHOTO_PROBLEMS,
  type PhotoField,
  type PhotoProblem,
  type VerificationStatus,
} from "#contract/accounts/verification.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { CallError, isUnreachable } from "../../../shared/http/call-error.ts";
import { readVerificationStatus, submitVerification } from "../api.ts";
import { type Draft, STEP_FIELDS, toForm } from "../model/draft.ts";
import { UPLOAD_STEPS, type UploadStep } from "../model/upload-step.ts";

/** Keys of the namespace `verification` under `failed`. */
type Failure = "unreachable" | "tooMany" | "refused" | "other";

type Sent =
  | { readonly kind: "sent"; readonly status: VerificationStatus }
  /** A field of this step was refused. */
  | { readonly kind: "fields"; readonly step: UploadStep }
  | { readonly kind: "failed" };

/** Sends the form; says what is wrong with the photos, and why it failed. */
export function useSubmit() {
  const isOnline = useOnline();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [problems, setProblems] = useState<{ readonly [Field in PhotoField]?: PhotoProblem }>({});
  const send = async (draft: Draft, today: string): Promise<Sent> => {
    const form = toForm(draft, today);
    if (isPending || form === null) return { kind: "failed" };
    setPending(true);
    setFailure(null);
    setProblems({});
    try {
      return { kind: "sent", status: await submitVerification(form) };
    } catch (error) {
      playHaptic("failed");
      const arrived = await statusAfter(error);
      if (arrived !== null) return { kind: "sent", status: arrived };
      const refused = refusedFields(error);
      setProblems(problemsOf(refused));
      setFailure(failureOf(error, refused));
      if (!(error instanceof CallError)) console.warn("the form could not be sent", error);
      const step = UPLOAD_STEPS.find((one) => STEP_FIELDS[one].some((field) => field in refused));
      return step === undefined ? { kind: "failed" } : { kind: "fields", step };
    } finally {
      setPending(false);
    }
  };
  return { isOnline, isPending, failure, problems, send };
}

/** Without an answer the form may have arrived all the same; where a check runs already, it has. Null where it has not. */
async function statusAfter(error: unknown): Promise<VerificationStatus | null> {
  const mayHaveArrived =
    isUnreachable(error) || (error instanceof CallError && error.code === "ERR_UNPROCESSABLE_ENTITY");
  if (!mayHaveArrived) return null;
  try {
    const now = await readVerificationStatus();
    return now.status === "NOT_STARTED" || now.status === "REJECT" ? null : now;
  } catch (failed) {
    console.debug("it is not known whether the form has arrived", failed);
    return null;
  }
}

const refusedFields = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof CallError && (error.code === "ERR_VALIDATION" || error.httpStatus === 413) ? error.data : {};

function problemsOf(refused: Readonly<Record<string, unknown>>): { [Field in PhotoField]?: PhotoProblem } {
  const entries = PHOTO_FIELDS.filter((field) => field in refused).map((field) => [
    field,
    PHOTO_PROBLEMS.find((known) => known === refused[field]) ?? "broken",
  ]);
  return Object.fromEntries(entries);
}

function failureOf(error: unknown, refused: Readonly<Record<string, unknown>>): Failure {
  if (Object.keys(refused).length > 0) return "refused";
  if (isUnreachable(error)) return "unreachable";
  return error instanceof CallError && error.httpStatus === 429 ? "tooMany" : "other";
}
