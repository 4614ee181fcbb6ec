import type { ErrorCode } from "#contract/errors.ts";

/** `coded`: the service said no; `network`: it was not reached; `timeout`; `unreadable`: its answer breaks the contract. */
export type CallErrorKind = "coded" | "network" | "timeout" | "unreadable";

type Details = {
  readonly kind: CallErrorKind;
  readonly message: string;
  readonly code?: ErrorCode | null;
  readonly data?: Record<string, unknown>;
  readonly httpStatus?: number | null;
  readonly traceId?: string | null;
  readonly cause?: unknown;
};

/** The one failure that calls throw; told apart by `kind` and `code`, never by its message. */
export class CallError extends Error {
  readonly kind: CallErrorKind;
  /** The catalogue's code (spec §8), null unless `kind` is `coded`. */
  readonly code: ErrorCode | null;
  readonly data: Record<string, unknown>;
  readonly httpStatus: number | null;
  /** What support can find the failure by. */
  readonly traceId: string | null;

  constructor(details: Details) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "CallError";
    this.kind = details.kind;
    this.code = details.code ?? null;
    this.data = details.data ?? {};
    this.httpStatus = details.httpStatus ?? null;
    this.traceId = details.traceId ?? null;
  }
}

/** True when the service was not reached at all, so that what is kept on the device should be shown. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof CallError && (error.kind === "network" || error.kind === "timeout");
