import { useState } from "react";
import { useOnline } from "../../../../shared/browser/connectivity.ts";
import { playHaptic } from "../../../../shared/browser/haptics.ts";
import { CallError, isUnreachable } from "../../../../shared/http/call-error.ts";

/**
 * Keys of the namespace `info` under `form.failed`.
 *
 * @internal Exported for its tests.
 */
export type InquiryFailure = "unreachable" | "notMailed" | "unknown" | "tooMany" | "other";

export type InquiryState = {
  readonly isOnline: boolean;
  readonly isPending: boolean;
  readonly failure: InquiryFailure | null;
  /** The number that it was mailed under; null before. */
  readonly number: string | null;
  /** Fields that the service refused. */
  readonly refused: Readonly<Record<string, unknown>>;
  /** Answers the fields that the service refused. */
  readonly send: (call: () => Promise<{ reference: string }>) => Promise<InquiryState["refused"]>;
  /** A refused field was changed: what was wrong with it is no longer said. */
  readonly accept: (name: string) => void;
  readonly reset: () => void;
};

/** Sends a message to the operator and says truly what became of it; what was typed stays until it was mailed. */
export function useInquiry(): InquiryState {
  const isOnline = useOnline();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<InquiryFailure | null>(null);
  const [number, setNumber] = useState<string | null>(null);
  const [refused, setRefused] = useState<InquiryState["refused"]>({});
  const send: InquiryState["send"] = async (call) => {
    if (isPending) return {};
    setPending(true);
    setFailure(null);
    setRefused({});
    try {
      setNumber((await call()).reference);
      playHaptic("completed");
      return {};
    } catch (error) {
      playHaptic("failed");
      const fields = refusedFields(error);
      setRefused(fields);
      if (Object.keys(fields).length === 0) setFailure(failureOf(error));
      if (!(error instanceof CallError)) console.warn("the message could not be sent", error);
      return fields;
    } finally {
      setPending(false);
    }
  };
  const accept = (name: string) => setRefused(({ [name]: _accepted, ...others }) => others);
  return { isOnline, isPending, failure, number, refused, send, accept, reset: () => setNumber(null) };
}

const refusedFields = (error: unknown): InquiryState["refused"] =>
  error instanceof CallError && (error.code === "ERR_VALIDATION" || error.httpStatus === 413) ? error.data : {};

/** @internal Exported for its tests. */
export function failureOf(error: unknown): InquiryFailure {
  if (!(error instanceof CallError)) return "other";
  // It may have arrived all the same.
  if (error.kind === "timeout") return "unknown";
  if (isUnreachable(error)) return "unreachable";
  if (error.httpStatus === 429) return "tooMany";
  if (error.code !== "ERR_SERVICE_UNAVAILABLE") return "other";
  return error.data["delivery"] === "unknown" ? "unknown" : "notMailed";
}
