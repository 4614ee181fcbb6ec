import { CallError, isUnreachable } from "../shared/http/call-error.ts";
import type { Failure } from "./router/page-data.ts";

/** What may be shown of whatever went wrong; `isTold` also shows what a fault says of itself, as outside production. */
export function describeFailure(error: unknown, isTold = false): Failure {
  if (isFailure(error)) return error;
  const message = error instanceof Error && (isTold || isForPeople(error)) ? error.message : null;
  if (!(error instanceof CallError)) return { status: 500, message, code: null, traceId: null, isUnreachable: false };
  return {
    status: error.httpStatus !== null && error.httpStatus >= 400 ? error.httpStatus : 500,
    message,
    code: error.code,
    traceId: error.traceId,
    isUnreachable: isUnreachable(error),
  };
}

/** The service's own refusals are written to be read (contract §1). */
const isForPeople = (error: Error): boolean => error instanceof CallError && error.kind === "coded";

/** The server has described it already. */
const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "isUnreachable" in error && "status" in error;
