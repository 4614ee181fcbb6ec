import { type ApiKeyPair, signedHeaders } from "./sign-call.ts";

const TIMEOUT_MS = 30_000;

export type Answered = {
  readonly status: number;
  readonly milliseconds: number;
  /** The header of that name. */
  readonly rateLimit: string | null;
  readonly answer: unknown;
};

type Sending = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | null;
  readonly isIdempotent: boolean;
};

/** Makes a signed call to this server, without the visitor's session. Throws where no answer comes. */
export async function sendCall(key: ApiKeyPair, { method, path, body, isIdempotent }: Sending): Promise<Answered> {
  const began = performance.now();
  const headers = await signedHeaders(key, { method, path, body: body ?? "", at: Date.now() });
  const response = await fetch(path, {
    method,
    headers: {
      ...headers,
      ...(body !== null && { "content-type": "application/json" }),
      ...(isIdempotent && { "idempotency-key": crypto.randomUUID() }),
    },
    credentials: "omit",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== null && { body }),
  });
  const answer: unknown = await response.json();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - began),
    rateLimit: response.headers.get("ratelimit"),
    answer,
  };
}
