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

/** The headers of an answer have 16 kB together in Node's clients, and proxies take less. */
const MAX_LENGTH = 4_096;

/** Where a redirect leads, as a header can hold it: without its query where that is too long, home where its path is. */
export function boundedLocation(to: string): string {
  if (to.length <= MAX_LENGTH) return to;
  const [path = ""] = to.split(/[?#]/, 1);
  return path.length <= MAX_LENGTH ? path : "/";
}
