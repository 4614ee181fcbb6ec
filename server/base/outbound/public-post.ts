import { request as requestHttp, type OutgoingHttpHeaders } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { type AddressesOf, createNameLookup } from "./name-lookup.ts";
import { isPublicAddress } from "./public-address.ts";

/** What became of a request: `unreachable` was never sent, `unanswered` may have arrived, `forbidden` leads to no public address. */
export type PostResult =
  | { kind: "answered"; status: number; retryAfterSeconds: number | null }
  | { kind: "unanswered" }
  | { kind: "unreachable" }
  | { kind: "forbidden" };

export type PostParts = {
  url: URL;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  /** False allows private addresses. */
  isPublicOnly: boolean;
  signal: AbortSignal;
  timeoutMs: number;
  /** The name servers', unless a test replaces them. */
  resolve?: AddressesOf;
};

/** What comes before the head of an answer is parsed beside all else that the process does: a flood of it would stop that. */
const BEFORE_HEAD = { bytes: 32 * 1024, interimAnswers: 10, sessions: 10 };

const askNameServers = createNameLookup();

/** Posts once, follows no redirect, and reads only the head of the response. */
export function postOnce(parts: PostParts): Promise<PostResult> {
  const { url, headers, body, isPublicOnly, signal, timeoutMs, resolve = askNameServers } = parts;
  const { promise, resolve: end } = Promise.withResolvers<PostResult>();
  const isSecure = url.protocol === "https:";
  // A literal address is never looked up.
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (isPublicOnly && isIP(literal) !== 0 && !isPublicAddress(literal)) return Promise.resolve({ kind: "forbidden" });
  let isConnected = false;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const asked = (isSecure ? requestHttps : requestHttp)(url, {
    method: "POST",
    headers,
    agent: false,
    signal: ended,
    ...(isPublicOnly && { lookup: publicOnly(resolve, ended) }),
  });
  asked.on("socket", (socket) => {
    socket.once(isSecure ? "secureConnect" : "connect", () => (isConnected = true));
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BEFORE_HEAD.bytes) asked.destroy();
    });
    // Of TLS 1.3, which a server may send as often as it likes.
    let sessions = 0;
    socket.on("session", () => {
      sessions += 1;
      if (sessions > BEFORE_HEAD.sessions) asked.destroy();
    });
  });
  let interimAnswers = 0;
  asked.on("information", () => {
    interimAnswers += 1;
    if (interimAnswers > BEFORE_HEAD.interimAnswers) asked.destroy();
  });
  asked.on("response", ({ statusCode: status = 0, headers: { "retry-after": retryAfter } }) => {
    asked.destroy();
    end({ kind: "answered", status, retryAfterSeconds: secondsOf(retryAfter) });
  });
  // Without a listener Node drops the connection, and the request would neither answer nor fail.
  asked.on("upgrade", ({ statusCode: status = 0 }, socket) => {
    socket.destroy();
    end({ kind: "answered", status, retryAfterSeconds: null });
  });
  asked.on("error", (error) => {
    if (error instanceof PrivateAddressError) end({ kind: "forbidden" });
    else end({ kind: isConnected ? "unanswered" : "unreachable" });
  });
  // Whatever else ends a request: somebody waits for each of them.
  asked.on("close", () => end({ kind: isConnected ? "unanswered" : "unreachable" }));
  asked.end(body);
  return promise;
}

class PrivateAddressError extends Error {}

/** Checked where the connection is made, so that a second DNS answer can lead nowhere else. */
function publicOnly(resolve: AddressesOf, signal: AbortSignal): LookupFunction {
  const lookUp = callbackify(async (name: string) => {
    const found = await resolve(name, signal);
    if (found.some(({ address }) => !isPublicAddress(address))) throw new PrivateAddressError(name);
    return found;
  });
  return (name, options, done) =>
    lookUp(name, (error, found) => {
      if (error) return done(error, []);
      const [first] = found;
      if (options.all === true || first === undefined) return done(null, found);
      done(null, first.address, first.family);
    });
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function secondsOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1_000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
