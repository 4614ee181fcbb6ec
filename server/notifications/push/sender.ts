import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestHttp, type OutgoingHttpHeaders } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import webPush from "web-push";
import { isPushEndpoint, isPublicAddress } from "./endpoints.ts";
import type { PushServices, PushSender, PushResult } from "./port.ts";

export type SenderParts = {
  keys: { publicKey: string; privateKey: string };
  subject: string;
  services: PushServices;
  resolve?: PostParts["resolve"];
};

export function createPushSender({ keys, subject, services, resolve }: SenderParts): PushSender {
  return {
    async send({ endpoint, p256dh, auth }, { text, topic, urgency, ttlSeconds }, signal) {
      // Checked again: the list may have changed since the subscription.
      if (!isPushEndpoint(endpoint, services)) return { kind: "forbidden" };
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails: { subject, ...keys },
        contentEncoding: "aes128gcm",
        TTL: ttlSeconds,
        urgency,
        topic,
      });
      const url = new URL(endpoint);
      const isPublicOnly = url.origin !== services.sandboxService;
      return post({ url, headers, body, isPublicOnly, signal, ...(resolve && { resolve }) });
    },
  };
}

/** Shorter than the lease of a row, so that two workers never send the same one. */
const TIMEOUT_MS = 30_000;

export type PostParts = {
  url: URL;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  /** False allows private addresses. */
  isPublicOnly: boolean;
  signal: AbortSignal;
  /** Node's own, unless a test replaces it. */
  resolve?: typeof lookUp;
};

/** Posts once, follows no redirect, and reads only the head of the response. */
function post({ url, headers, body, isPublicOnly, signal, resolve = lookUp }: PostParts): Promise<PushResult> {
  const { promise, resolve: end } = Promise.withResolvers<PushResult>();
  const isSecure = url.protocol === "https:";
  let isConnected = false;
  const asked = (isSecure ? requestHttps : requestHttp)(url, {
    method: "POST",
    headers,
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
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

/** Checked where the connection is made, so that a second DNS answer can lead nowhere else. */
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
