import autocannon from "autocannon";

export type Target = {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  /** Headers of each single request. */
  headersOfEach?: () => Record<string, string>;
};

/** Answers a second and their times in milliseconds; `failed` counts what was no 2xx. */
export type Load = { perSecond: number; p50: number; p99: number; failed: number };

/** Calls one address over so many connections, each waiting for its answer, for so many seconds. */
export async function load(target: Target, connections: number, seconds: number): Promise<Load> {
  const { url, method = "GET", headers = {}, body, headersOfEach } = target;
  const result = await autocannon({
    url,
    method,
    connections,
    duration: seconds,
    headers,
    ...(body !== undefined && { body }),
    requests: [
      headersOfEach
        ? { setupRequest: (request) => ({ ...request, headers: { ...request.headers, ...headersOfEach() } }) }
        : {},
    ],
  });
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.errors + result.non2xx,
  };
}
