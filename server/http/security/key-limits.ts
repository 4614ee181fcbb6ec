import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import type { Redis } from "../../bus/index.ts";

const WINDOW_SECONDS = 60;
const NAMES = 20_000;
const NAMESPACE = "wherry:key-limit:";

/** Signed calls a minute and API key. */
export type KeyLimits = { reads: number; writes: number };
type KeyLimiter = (request: FastifyRequest, reply: FastifyReply, name: string) => Promise<void>;
type Limiter = ReturnType<FastifyInstance["createRateLimit"]>;

/**
 * Counts the calls of a name, reads apart from the others, and says in `RateLimit` and `RateLimit-Policy` what is left, and in the older
 * `RateLimit-Limit`, `-Remaining` and `-Reset` too. One too many is 429. With `redis` all processes count together, while it answers.
 */
export async function openKeyLimiter(
  app: FastifyInstance,
  limits: KeyLimits,
  redis: Redis | null = null,
): Promise<KeyLimiter> {
  const names = new WeakMap<FastifyRequest, string>();
  const own = await openLimiters(app, limits, names, null);
  const shared = redis === null ? null : await openLimiters(app, limits, names, redis);
  const count = async (kind: keyof KeyLimits, request: FastifyRequest) => {
    if (shared === null) return own[kind](request);
    try {
      return await shared[kind](request);
    } catch (error) {
      request.log.debug({ err: error }, "the calls of an API key are counted by this process alone");
      return own[kind](request);
    }
  };

  return async (request, reply, name) => {
    const kind = request.method === "GET" || request.method === "HEAD" ? "reads" : "writes";
    names.set(request, name);
    const spent = await count(kind, request);
    if (spent.isAllowed) return;
    reply.headers({
      "ratelimit-policy": `"${kind}";q=${spent.max};w=${WINDOW_SECONDS}`,
      ratelimit: `"${kind}";r=${spent.remaining};t=${spent.ttlInSeconds}`,
      "ratelimit-limit": spent.max,
      "ratelimit-remaining": spent.remaining,
      "ratelimit-reset": spent.ttlInSeconds,
    });
    if (spent.isExceeded)
      throw new CodedError("ERR_BAD_REQUEST", "Too many requests", {
        httpStatus: 429,
        retryAfterSeconds: Math.max(1, spent.ttlInSeconds),
      });
  };
}

async function openLimiters(
  app: FastifyInstance,
  limits: KeyLimits,
  names: WeakMap<FastifyRequest, string>,
  redis: Redis | null,
): Promise<Record<keyof KeyLimits, Limiter>> {
  const opened = Promise.withResolvers<Record<keyof KeyLimits, Limiter>>();
  await app.register(async (context) => {
    await context.register(rateLimit, { global: false, ...(redis && { redis, nameSpace: NAMESPACE }) });
    const limiterOf = (kind: keyof KeyLimits): Limiter => {
      // The types don't name `cache`; without it a limiter counts 5,000.
      const options = { max: limits[kind], timeWindow: WINDOW_SECONDS * 1_000, cache: NAMES };
      return context.createRateLimit({ ...options, keyGenerator: (request) => `${kind}:${names.get(request)}` });
    };
    opened.resolve({ reads: limiterOf("reads"), writes: limiterOf("writes") });
  });
  return opened.promise;
}
