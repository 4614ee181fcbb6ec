import { CallError, isUnreachable } from "../../shared/http/call-error.ts";

/** The part of an error that may be shown. */
export type PageError = {
  readonly status: number;
  /** The service's message, in English; null where it must not be shown. */
  readonly message: string | null;
  readonly code: string | null;
  readonly traceId: string | null;
  readonly isUnreachable: boolean;
};

/** Reduces any error to what may be shown; `includesMessage` adds the message of an internal error, as outside production. */
export function describeError(error: unknown, includesMessage = false): PageError {
  if (isFailure(error)) return error;
  const message = error instanceof Error && (includesMessage || isPublic(error)) ? error.message : null;
  if (!(error instanceof CallError)) return { status: 500, message, code: null, traceId: null, isUnreachable: false };
  return {
    status: error.httpStatus !== null && error.httpStatus >= 400 ? error.httpStatus : 500,
    message,
    code: error.code,
    traceId: error.traceId,
    isUnreachable: isUnreachable(error),
  };
}

/** The service writes these messages for users (contract §1). */
const isPublic = (error: Error): boolean => error instanceof CallError && error.kind === "coded";

/** The server described it already. */
const isFailure = (error: unknown): error is PageError =>
  typeof error === "object" && error !== null && "isUnreachable" in error && "status" in error;
