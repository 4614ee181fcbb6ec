import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import type { Redis } from "../../bus/index.ts";
import { createWindowCounts, type Counted } from "./window-counts.ts";

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
const NAMES = 20_000;
const NAMESPACE = "wherry:key-limit:";

/** Signed calls a minute and API key. */
export type KeyLimits = { reads: number; writes: number };
/** Without Redis it is done at once: promises cost a signed call more than its counting. */
type KeyLimiter = (request: FastifyRequest, reply: FastifyReply, name: string) => void | Promise<void>;
type Counters<Answer> = Record<keyof KeyLimits, (request: FastifyRequest, name: string) => Answer>;

/**
 * Counts the calls of a name, reads apart from the others, and says in `RateLimit` and `RateLimit-Policy` what is left, and in the older
 * `RateLimit-Limit`, `-Remaining` and `-Reset` too. One too many is 429. With `redis` all processes count together, while it answers.
 */
export async function openKeyLimiter(
  app: FastifyInstance,
  limits: KeyLimits,
  redis: Redis | null = null,
): Promise<KeyLimiter> {
  const own = ownCounters(limits);
  const kindOf = ({ method }: FastifyRequest) => (method === "GET" || method === "HEAD" ? "reads" : "writes");
  const say = (reply: FastifyReply, kind: keyof KeyLimits, spent: Counted): void => {
    const max = limits[kind];
    reply.headers({
      "ratelimit-policy": `"${kind}";q=${max};w=${WINDOW_SECONDS}`,
      ratelimit: `"${kind}";r=${spent.remaining};t=${spent.ttlInSeconds}`,
      "ratelimit-limit": max,
      "ratelimit-remaining": spent.remaining,
      "ratelimit-reset": spent.ttlInSeconds,
    });
    if (spent.isExceeded)
      throw new CodedError("ERR_BAD_REQUEST", "Too many requests", {
        httpStatus: 429,
        retryAfterSeconds: Math.max(1, spent.ttlInSeconds),
      });
  };
  if (redis === null)
    return (request, reply, name) => {
      const kind = kindOf(request);
      say(reply, kind, own[kind](request, name));
    };
  const shared = await sharedCounters(app, limits, redis, own);
  return async (request, reply, name) => {
    const kind = kindOf(request);
    say(reply, kind, await shared[kind](request, name));
  };
}

function ownCounters({ reads, writes }: KeyLimits): Counters<Counted> {
  const counterOf = (max: number) => {
    const count = createWindowCounts({ max, windowMs: WINDOW_MS, names: NAMES });
    return (_request: FastifyRequest, name: string) => count(name);
  };
  return { reads: counterOf(reads), writes: counterOf(writes) };
}

/** Those that all processes count together; while Redis doesn't answer each counts by itself. */
async function sharedCounters(
  app: FastifyInstance,
  limits: KeyLimits,
  redis: Redis,
  own: Counters<Counted>,
): Promise<Counters<Promise<Counted>>> {
  const names = new WeakMap<FastifyRequest, string>();
  const opened = Promise.withResolvers<Counters<Promise<Counted>>>();
  await app.register(async (context) => {
    await context.register(rateLimit, { global: false, redis, nameSpace: NAMESPACE });
    const counterOf = (kind: keyof KeyLimits) => {
      const keyGenerator = (request: FastifyRequest) => `${kind}:${names.get(request)}`;
      const limiter = context.createRateLimit({ max: limits[kind], timeWindow: WINDOW_MS, keyGenerator });
      return async (request: FastifyRequest, name: string): Promise<Counted> => {
        names.set(request, name);
        try {
          const spent = await limiter(request);
          // Nobody is on a list of those that are not counted.
          if (spent.isAllowed) throw new Error("a signed call was not counted");
          return spent;
        } catch (error) {
          request.log.debug({ err: error }, "the calls of an API key are counted by this process alone");
          return own[kind](request, name);
        }
      };
    };
    opened.resolve({ reads: counterOf("reads"), writes: counterOf("writes") });
  });
  return opened.promise;
}
