import type { Failure } from "#contract/errors.ts";
import type { InProcessCall } from "#contract/site/ssr.ts";

/** A page's calls until `ended`: then those that it still waits for, and all further ones, are answered as a service that is away. */
export function boundedCalls(call: InProcessCall, ended: AbortSignal, traceId: string): InProcessCall {
  const body: Failure = { status: "ERR_SERVICE_UNAVAILABLE", message: "The page takes too long", traceId };
  const refused = { httpStatus: 503, body };
  return async (name, input) => {
    if (ended.aborted) return refused;
    const end = Promise.withResolvers<typeof refused>();
    const refuse = (): void => end.resolve(refused);
    ended.addEventListener("abort", refuse);
    try {
      return await Promise.race([call(name, input), end.promise]);
    } finally {
      ended.removeEventListener("abort", refuse);
    }
  };
}
