import { type ApiKeyPair, signedHeaders } from "./sign-call.ts";

const TIMEOUT_MS = 30_000;
/** A time stamp that is further from the server's clock may be why a call was refused (contract §13). */
const OFF_MS = 20_000;

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
export const sendCall = createSendCall();

/** @internal Exported for its tests. */
export function createSendCall() {
  /** How far the server's real clock is ahead of this device's. Its business clock, which a sandbox moves, signs nothing. */
  let offsetMs = 0;
  return async (key: ApiKeyPair, { method, path, body, isIdempotent }: Sending): Promise<Answered> => {
    const idempotencyKey = isIdempotent ? crypto.randomUUID() : null;
    const send = async (at: number): Promise<Response> => {
      const headers = await signedHeaders(key, { method, path, body: body ?? "", at });
      const answered = await fetch(path, {
        method,
        headers: {
          ...headers,
          ...(body !== null && { "content-type": "application/json" }),
          ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
        },
        credentials: "omit",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== null && { body }),
      });
      const told = Date.parse(answered.headers.get("date") ?? "");
      if (!Number.isNaN(told)) offsetMs = told - Date.now();
      return answered;
    };
    const began = performance.now();
    const before = offsetMs;
    let response = await send(Date.now() + before);
    // The device's clock may be wrong, and no answer had brought the server's: what was refused for its time was not done.
    if (response.status === 401 && Math.abs(offsetMs - before) > OFF_MS) response = await send(Date.now() + offsetMs);
    const answer: unknown = await response.json();
    return {
      status: response.status,
      milliseconds: Math.round(performance.now() - began),
      rateLimit: response.headers.get("ratelimit"),
      answer,
    };
  };
}
