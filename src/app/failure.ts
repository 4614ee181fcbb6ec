import { CallError, isUnreachable } from "../lib/call-error.ts";
import type { Failure } from "./page-data.ts";

/** What may be shown of whatever went wrong. */
export function describeFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  if (!(error instanceof CallError)) return { status: 500, code: null, traceId: null, isUnreachable: false };
  return {
    status: error.httpStatus !== null && error.httpStatus >= 400 ? error.httpStatus : 500,
    code: error.code,
    traceId: error.traceId,
    isUnreachable: isUnreachable(error),
  };
}

/** The server has described it already. */
const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "isUnreachable" in error && "status" in error;
