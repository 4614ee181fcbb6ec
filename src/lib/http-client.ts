import ky, { isHTTPError, isTimeoutError } from "ky";
import { type AnswerOf, type Call, type CallName, calls } from "#contract/calls.ts";
import { accessToken } from "./access-token.ts";
import { readAnswer } from "./answer.ts";
import { CallError } from "./call-error.ts";
import type { CallOptions } from "./http.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";

type Input = CallOptions & { readonly query?: unknown; readonly body?: unknown };

type Plain = string | number | boolean | null | undefined;

/** Longest wait that a Retry-After may ask of a reader (a longer one is cut to this). */
const MAX_RETRY_AFTER_MS = 5_000;

const client = ky.create({
  retry: {
    limit: 1,
    methods: ["get"],
    statusCodes: [408, 409, 425, 429, 500, 502, 503, 504],
    maxRetryAfter: MAX_RETRY_AFTER_MS,
    backoffLimit: 1_000,
  },
});

/** One call over HTTP to `origin`; see `call` of http.ts for what it gives and throws. */
export async function send<Name extends CallName>(name: Name, input: Input, origin: string): Promise<AnswerOf<Name>> {
  const { httpStatus, body } = await exchange(calls[name], input, origin);
  return readAnswer(name, httpStatus, body);
}

async function exchange(call: Call, input: Input, origin: string): Promise<{ httpStatus: number; body: unknown }> {
  try {
    const response = await client(origin + call.path, {
      method: call.method,
      timeout: call.timeoutMs,
      searchParams: searchParams(input.query),
      headers: {
        accept: "application/json",
        ...authorization(),
        ...idempotency(call, input.idempotencyKey),
        ...input.headers,
      },
      ...(input.body === undefined ? {} : { json: input.body }),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    });
    return { httpStatus: response.status, body: await readJson(response) };
  } catch (error) {
    if (input.signal?.aborted) throw input.signal.reason;
    if (error instanceof CallError) throw error;
    if (isHTTPError(error)) return { httpStatus: error.response.status, body: error.data };
    if (isTimeoutError(error))
      throw new CallError({ kind: "timeout", message: `no answer in ${call.timeoutMs} ms`, cause: error });
    throw new CallError({ kind: "network", message: "the service was not reached", cause: error });
  }
}

function authorization(): Record<string, string> {
  const token = accessToken();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CallError({ kind: "unreadable", message: "the answer is not JSON", httpStatus: response.status, cause });
  }
}

function searchParams(query: unknown): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, Plain>)) {
    if (value !== undefined && value !== null) params.set(key, String(value));
  }
  return params;
}

function idempotency(call: Call, key: string | undefined): Record<string, string> {
  return call.idempotent ? { "idempotency-key": key ?? newIdempotencyKey() } : {};
}

export { newIdempotencyKey };
