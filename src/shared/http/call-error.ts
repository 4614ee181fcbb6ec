import type { ErrorCode } from "#contract/errors.ts";

/**
 * `coded`: the service answered with a coded failure; `network`: it was not reached; `timeout`; `unreadable`: its
 * answer breaks the contract.
 */
type CallErrorKind = "coded" | "network" | "timeout" | "unreadable";

type Details = {
  readonly kind: CallErrorKind;
  readonly message: string;
  readonly code?: ErrorCode | null;
  readonly data?: Record<string, unknown>;
  readonly isJson?: boolean;
  readonly httpStatus?: number | null;
  readonly traceId?: string | null;
  readonly cause?: unknown;
};

/** The only error that calls throw; distinguish by `kind` and `code`, never by the message. */
export class CallError extends Error {
  readonly kind: CallErrorKind;
  /** The catalogue's code (spec §8), null unless `kind` is `coded`. */
  readonly code: ErrorCode | null;
  readonly data: Record<string, unknown>;
  readonly httpStatus: number | null;
  /** False when the answer could not even be read as JSON. */
  readonly isJson: boolean;
  /** Identifies the failure in the server's log. */
  readonly traceId: string | null;

  constructor(details: Details) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "CallError";
    this.kind = details.kind;
    this.code = details.code ?? null;
    this.data = details.data ?? {};
    this.httpStatus = details.httpStatus ?? null;
    this.isJson = details.isJson ?? true;
    this.traceId = details.traceId ?? null;
  }
}

/** True when the service was not reached at all: show the device's saved copy. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof CallError && (error.kind === "network" || error.kind === "timeout");
