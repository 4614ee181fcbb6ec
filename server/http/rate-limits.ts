import { randomBytes, timingSafeEqual } from "node:crypto";
import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";

const MINUTE_MS = 60_000;
/** Addresses that are counted at a time; the least recent one is forgotten first. */
const ADDRESSES = 20_000;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);
/** Files with their hash in the name, asked for once; and what only exists while the sandbox is on. */
const UNCOUNTED = /^\/(?:assets\/|sandbox(?:[/?]|$))/;
const INTERNAL_HEADER = "x-internal-call";

/** Calls a minute and address (contract §1). */
export type RateLimits = { reads: number; writes: number };

/** Lets this process call itself without being counted. */
export type InternalCalls = { headers: Record<string, string>; isInternal(request: FastifyRequest): boolean };

/** A secret that is made anew at each start and never leaves the process. */
export function createInternalCalls(): InternalCalls {
  const secret = randomBytes(32).toString("hex");
  const expected = Buffer.from(secret);
  return {
    headers: { [INTERNAL_HEADER]: secret },
    isInternal: (request) => {
      const given = Buffer.from(String(request.headers[INTERNAL_HEADER] ?? ""));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** Names a client for limits: an IPv4 address, or the /64 that an IPv6 client has to itself. */
export const clientKey = (request: FastifyRequest): string => normalizeIP(request.ip);

/** Counts every request, also those that lead nowhere; one too many is 429 with Retry-After. */
export async function limitRates(app: FastifyInstance, limits: RateLimits, internal: InternalCalls): Promise<void> {
  await app.register(rateLimit, { global: false, cache: ADDRESSES });
  const limiterOf = (max: number) => app.createRateLimit({ max, timeWindow: MINUTE_MS, keyGenerator: clientKey });
  const reads = limiterOf(limits.reads);
  const writes = limiterOf(limits.writes);

  app.addHook("onRequest", async (request) => {
    if (UNCOUNTED.test(request.url) || internal.isInternal(request)) return;
    const spent = await (READS.has(request.method) ? reads : writes)(request);
    if (!spent.isAllowed && spent.isExceeded) throw tooMany(spent.ttlInSeconds);
  });
}

const tooMany = (retryAfterSeconds: number): CodedError =>
  new CodedError("ERR_BAD_REQUEST", "Too many requests", {
    httpStatus: 429,
    retryAfterSeconds: Math.max(1, retryAfterSeconds),
  });
