import { CodedError } from "#contract/errors.ts";
import { CardProviderError } from "./port.ts";

/** What a provider can't say now is a 503 (contract §1). */
export async function withProviderErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof CardProviderError)) throw error;
    throw new CodedError("ERR_SERVICE_UNAVAILABLE", "The card provider doesn't answer now", {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
}
