import ky, { isHTTPError, isTimeoutError } from "ky";
import type { AnswerOf, AnyCallName, Call } from "#contract/calls.ts";
import { appCalls } from "#contract/calls/app-calls.ts";
import { pathOf } from "#contract/calls/call.ts";
import { sandboxCalls } from "#contract/calls/sandbox.ts";
import { SERVER_TIME_HEADER } from "#contract/headers.ts";
import { browserFingerprint } from "../browser/browser-fingerprint.ts";
import { isWidget } from "../browser/is-widget.ts";
import { accessToken, endSession, reportRenewal } from "./access-token.ts";
import { renewSession, signInSettled } from "./session.ts";
import { readAnswer } from "./read-answer.ts";
import { CallError } from "./call-error.ts";
import { learnServerTime } from "./server-clock.ts";
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

/** One call over HTTP to `origin`; see `call` of http.ts for what it gives and throws. */
export async function send<Name extends AnyCallName>(
  name: Name,
  input: Input,
  origin: string,
): Promise<AnswerOf<Name>> {
  const call = await callOf(name);
  const isOfSession = call.isForSignedIn === true || call.usesSession === true;
  // Once for both attempts below: the service knows them as one.
  const given = { ...input, idempotencyKey: input.idempotencyKey ?? randomHex() };
  const attempt = () => request(call, given, origin, isOfSession ? accessToken() : null);
  const { httpStatus, body } = await (isOfSession ? inSession(attempt, origin) : attempt());
  return readAnswer(name, call, httpStatus, body);
}

/**
 * A session's call (contract §8): one that has expired (418) is renewed once and the call repeated; where that is refused, and at
 * 401, the session is over. The call is never repeated as a guest's.
 */
async function inSession(attempt: () => Promise<Response>, origin: string): Promise<Response> {
  await signInSettled();
  const token = accessToken();
  const first = await attempt();
  // Another call has renewed it meanwhile.
  const isRenewed = REFUSED.has(first.httpStatus) && token !== accessToken() && accessToken() !== null;
  if (first.httpStatus !== EXPIRED && !isRenewed) return settle(first, token);
  if (!isRenewed && !(await renewSession(() => renewByCookie(origin)))) {
    endSession(token);
    return { ...first, httpStatus: 401 };
  }
  if (!isRenewed) reportRenewal();
  const newer = accessToken();
  return settle(await attempt(), newer);
}

const EXPIRED = 418;
/** A session that isn't known (any more), and one that has expired (contract §1). */
const REFUSED: ReadonlySet<number> = new Set([401, EXPIRED]);

function settle(response: Response, token: string | null): Response {
  if (REFUSED.has(response.httpStatus)) endSession(token);
  return response;
}

async function renewByCookie(origin: string): Promise<boolean> {
  const body = { browserFingerprint: browserFingerprint() };
  const { httpStatus, body: answer } = await request(appCalls.refresh, { body }, origin, null);
  if (REFUSED.has(httpStatus)) return false;
  readAnswer("refresh", appCalls.refresh, httpStatus, answer);
  return true;
}

const allCalls: Partial<Record<AnyCallName, Call>> = { ...appCalls, ...sandboxCalls };

/** What only pages beside the exchange ask for stays out of the chunk that the calculator waits for. */
const callOf = async (name: AnyCallName): Promise<Call> => {
  const known = allCalls[name];
  if (known !== undefined) return known;
  const { deferredCalls } = await import("#contract/calls/deferred-calls.ts");
  return deferredCalls[name as keyof typeof deferredCalls];
};

type Response = { httpStatus: number; body: unknown };

async function request(call: Call, input: Input, origin: string, token: string | null): Promise<Response> {
  try {
    const response = await client(origin + pathOf(call, input.params), {
      method: call.method,
      timeout: call.timeoutMs,
      credentials: isWidget() ? "omit" : "same-origin",
      ...(input.retries === undefined ? {} : { retry: input.retries }),
      ...(input.cache === undefined ? {} : { cache: input.cache }),
      searchParams: searchParams(input.query),
      headers: {
        accept: call.mediaType ?? "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(call.idempotent && input.idempotencyKey !== undefined ? { "idempotency-key": input.idempotencyKey } : {}),
        ...input.headers,
      },
      ...(input.body === undefined ? {} : call.isForm ? { body: toFormData(input.body) } : { json: input.body }),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    });
    learnServerTime(response.headers.get(SERVER_TIME_HEADER));
    return { httpStatus: response.status, body: await (call.mediaType ? response.text() : readJson(response)) };
  } catch (error) {
    if (input.signal?.aborted) throw input.signal.reason;
    if (error instanceof CallError) throw error;
    if (isHTTPError(error)) learnServerTime(error.response.headers.get(SERVER_TIME_HEADER));
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

function toFormData(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, Plain | Blob>)) {
    if (value instanceof Blob) form.set(name, value);
    else if (value !== undefined && value !== null) form.set(name, String(value));
  }
  return form;
}

function searchParams(query: unknown): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, Plain>)) {
    if (value !== undefined && value !== null) params.set(key, String(value));
  }
  return params;
}
