import ky, { isHTTPError, isTimeoutError } from "ky";
import { type AnswerOf, type AnyCallName, type Call, calls, pathOf, sandboxCalls } from "#contract/calls.ts";
import { accessToken, endSession } from "./access-token.ts";
import { readAnswer } from "./read-answer.ts";
import { CallError } from "./call-error.ts";
import type { CallOptions } from "./http.ts";
import { randomHex } from "../browser/random-hex.ts";

type Input = CallOptions & {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
};

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

/** A token that isn't known (any more), and one that has expired (contract §1). */
const REFUSED_TOKEN: ReadonlySet<number> = new Set([401, 418]);

/** One call over HTTP to `origin`; see `call` of http.ts for what it gives and throws. */
export async function send<Name extends AnyCallName>(
  name: Name,
  input: Input,
  origin: string,
): Promise<AnswerOf<Name>> {
  const token = accessToken();
  // Once for both attempts below: the service knows them as one.
  const given = { ...input, idempotencyKey: input.idempotencyKey ?? randomHex() };
  let { httpStatus, body } = await request(callOf(name), given, origin, token);
  if (token !== null && REFUSED_TOKEN.has(httpStatus)) {
    endSession(token);
    // A refused token fails any call; a guest may make most of them (spec §6).
    ({ httpStatus, body } = await request(callOf(name), given, origin, accessToken()));
  }
  return readAnswer(name, httpStatus, body);
}

const allCalls: Record<AnyCallName, Call> = { ...calls, ...sandboxCalls };
const callOf = (name: AnyCallName): Call => allCalls[name];

type Response = { httpStatus: number; body: unknown };

async function request(call: Call, input: Input, origin: string, token: string | null): Promise<Response> {
  try {
    const response = await client(origin + pathOf(call, input.params), {
      method: call.method,
      timeout: call.timeoutMs,
      ...(input.retries === undefined ? {} : { retry: input.retries }),
      ...(input.cache === undefined ? {} : { cache: input.cache }),
      searchParams: searchParams(input.query),
      headers: {
        accept: "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(call.idempotent && input.idempotencyKey !== undefined ? { "idempotency-key": input.idempotencyKey } : {}),
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

async function readJson(response: globalThis.Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CallError({
      kind: "unreadable",
      message: "the answer is not JSON",
      isJson: false,
      httpStatus: response.status,
      cause,
    });
  }
}

function searchParams(query: unknown): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, Plain>)) {
    if (value !== undefined && value !== null) params.set(key, String(value));
  }
  return params;
}
