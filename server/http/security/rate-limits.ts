import type { FastifyInstance, FastifyRequest } from "fastify";
import { calls, type Call } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { equalsInConstantTime, randomHex } from "../../base/secrets.ts";
import type { Redis } from "../../bus/index.ts";
import { nameClients } from "./client-names.ts";
import { type Kind, limitersOf, ownLimiters, type RateLimits, rulesOf, sharedLimiters } from "./limiters.ts";
import type { Spent } from "./window-counts.ts";

/** Names of a kind that are counted at a time; the least recently used one is dropped first. */
const NAMES = 20_000;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);
const INTERNAL_HEADER = "x-internal-call";

/** Lets this process call itself without being counted. */
export type InternalCalls = { headers: Record<string, string>; isInternal(request: FastifyRequest): boolean };

/** Made at each start; never leaves the process. */
export function createInternalCalls(): InternalCalls {
  const secret = randomHex(32);
  return {
    headers: { [INTERNAL_HEADER]: secret },
    isInternal: ({ headers }) => {
      const given = headers[INTERNAL_HEADER];
      return given !== undefined && equalsInConstantTime(String(given), secret);
    },
  };
}

/**
 * Counts every request, also those that lead nowhere, but those of a route that says `isUncounted`; one too many is 429 with Retry-After.
 * With `redis` all processes count together; while it doesn't answer each counts by itself, so that a dead Redis neither stops the site nor
 * lifts the limits.
 */
export async function limitRates(
  app: FastifyInstance,
  { rateLimits }: { rateLimits: RateLimits },
  internal: InternalCalls,
  redis: Redis | null = null,
  /** How many names of a kind are counted at a time. */
  names = NAMES,
): Promise<void> {
  nameClients(app);
  const rules = rulesOf(rateLimits, (request) => accounts.get(request) ?? null);
  const own = ownLimiters(rules, names);
  const count = redis === null ? own : await sharedLimiters(app, rules, redis, own);
  const spend = async (request: FastifyRequest, kind: Kind): Promise<void> => {
    for (const name of limitersOf(kind, request)) refuseTooMany(await count[name](request));
  };
  app.decorate("countPage", (request) => spend(request, "page"));
  app.decorate("countBulk", async (request, account) => {
    if (internal.isInternal(request)) return;
    accounts.set(request, account);
    refuseTooMany(await count.bulkOfAccount(request));
  });

  // By the route, not by the path: what is not found there costs as much as any page.
  const isCounted = (request: FastifyRequest): boolean =>
    !request.routeOptions.config?.isUncounted && !internal.isInternal(request);
  if (redis !== null)
    app.addHook("onRequest", async (request) => {
      if (isCounted(request)) for (const kind of kindsOf(request)) await spend(request, kind);
    });
  else
    app.addHook("onRequest", (request, _reply, done) => {
      done(isCounted(request) ? firstRefusal(request) : undefined);
    });

  /** Without promises, which take a sixth of a rate's answer: 10 of 60 µs of a processor (median of seven). */
  function firstRefusal(request: FastifyRequest): CodedError | undefined {
    for (const kind of kindsOf(request))
      for (const name of limitersOf(kind, request)) {
        const spent = own[name](request);
        if (spent.isExceeded) return tooMany(spent);
      }
    return undefined;
  }
}

/** Whose call it is, once its session was read. */
const accounts = new WeakMap<FastifyRequest, string>();

const pathsOf = (flag: "isSignIn" | "isBulk"): ReadonlySet<string> =>
  new Set(Object.values<Call>(calls).flatMap((call) => (call[flag] ? [call.path] : [])));
const SIGN_INS = pathsOf("isSignIn");
const BULK = pathsOf("isBulk");

const READ_KINDS: readonly Kind[] = ["read"];

/** Sign-ins and calls in bulk change state too, and are counted as both. Known by the route: its path can be written in many ways. */
function kindsOf({ method, routeOptions }: FastifyRequest): readonly Kind[] {
  if (READS.has(method)) return READ_KINDS;
  const url = routeOptions.url ?? "";
  return ["write", ...(SIGN_INS.has(url) ? ["signIn" as const] : []), ...(BULK.has(url) ? ["bulk" as const] : [])];
}

function refuseTooMany(spent: Spent): void {
  if (spent.isExceeded) throw tooMany(spent);
}

const tooMany = ({ ttlInSeconds }: Spent): CodedError =>
  new CodedError("ERR_BAD_REQUEST", "Too many requests", {
    httpStatus: 429,
    retryAfterSeconds: Math.max(1, ttlInSeconds),
  });
