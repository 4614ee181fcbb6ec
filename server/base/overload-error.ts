import { CodedError } from "#contract/errors.ts";

/** More was asked for than there is room for: what a client does, no failure of ours, so that the log has no error of it. */
export class OverloadError extends CodedError {
  constructor(message: string, retryAfterSeconds: number) {
    super("ERR_SERVICE_UNAVAILABLE", message, { retryAfterSeconds });
  }
}
