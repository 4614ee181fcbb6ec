import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestHttp, type OutgoingHttpHeaders } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./places.ts";
import type { PushResult } from "./port.ts";

/** Shorter than the lease of a row, so that two workers never send the same one. */
const WHOLE_MS = 30_000;

export type PostParts = {
  url: URL;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  /** False lets a private address be reached. */
  isPublicOnly: boolean;
  signal: AbortSignal;
  /** Of Node, unless a test plays it. */
  resolve?: typeof lookUp;
};

/** Posts once, follows nothing, and reads no more of the answer than its head. */
export function post({ url, headers, body, isPublicOnly, signal, resolve = lookUp }: PostParts): Promise<PushResult> {
  const { promise, resolve: end } = Promise.withResolvers<PushResult>();
  const isSecure = url.protocol === "https:";
  let isConnected = false;
  const asked = (isSecure ? requestHttps : requestHttp)(url, {
    method: "POST",
    headers,
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]),
    ...(isPublicOnly && { lookup: publicOnly(resolve) }),
  });
  asked.on("socket", (socket) => socket.once(isSecure ? "secureConnect" : "connect", () => (isConnected = true)));
  asked.on("response", ({ statusCode: status = 0, headers: { "retry-after": retryAfter } }) => {
    asked.destroy();
    end({ kind: "answered", status, retryAfterSeconds: secondsOf(retryAfter) });
  });
  asked.on("error", (error) => {
    if (error instanceof PrivateAddressError) end({ kind: "forbidden" });
    else end({ kind: isConnected ? "unanswered" : "unreachable" });
  });
  asked.end(body);
  return promise;
}

class PrivateAddressError extends Error {}

/** Judged where the connection is made, so that no second answer of the name server can lead elsewhere. */
const publicOnly =
  (resolve: typeof lookUp): LookupFunction =>
  (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, []);
      if (found.some(({ address }) => !isPublicAddress(address))) return done(new PrivateAddressError(name), []);
      const [first] = found;
      if (options.all === true || first === undefined) return done(null, found);
      done(null, first.address, first.family);
    });
  };

/** Seconds, or a date (RFC 9110 §10.2.3). */
function secondsOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1_000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
