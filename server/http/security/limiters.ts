import { MINUTE_MS } from "#contract/durations.ts";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Redis } from "../../bus/index.ts";
import { clientKey, clientNetwork } from "./client-names.ts";
import { createWindowCounts, type Spent } from "./window-counts.ts";

/** Calls a minute and address (contract §1). */
export type RateLimits = { reads: number; writes: number; signIns: number };

const KINDS = ["read", "page", "write", "signIn", "bulk"] as const;
export type Kind = (typeof KINDS)[number];
type LimiterName = Kind | `${Kind}OfHome` | `${Kind}OfNetwork` | "bulkOfAccount";
/** How many calls of a name are taken, and the name that a request has there. */
type Rule = { max: number; nameOf: (request: FastifyRequest) => string | null };
export type Limiters<Answer = Spent> = Record<LimiterName, (request: FastifyRequest) => Answer>;
type Rules = Record<LimiterName, Rule>;

/** Of the networks that many clients share: so many times a client's calls. */
const NETWORK_CALLS = 4;
/**
 * One page of so many reads: rendering the home page takes 8 to 12 ms of the main thread, a rate 0.3 ms. So an address's 240 pages a minute
 * are 3 s of it, and its 960 other reads 0.3 s.
 */
const READS_OF_PAGE = 5;
/** Each touches a hundred rows. */
const BULK_CALLS = 20;
/** Of the keys in Redis. */
const NAMESPACE = "wherry:limit:";
const SHARED_AGAIN_AFTER_MS = 1_000;
const NOT_EXCEEDED: Spent = { isExceeded: false, ttlInSeconds: 0 };

const ofKinds = <Value>(value: (kind: Kind) => Value) =>
  Object.fromEntries(KINDS.map((kind) => [kind, value(kind)])) as Record<Kind, Value>;
const OF_ADDRESS = ofKinds((kind): LimiterName[] => [kind]);
const OF_NETWORK = ofKinds((kind): LimiterName[] => [`${kind}OfNetwork`, `${kind}OfHome`]);

/** The network first: once it is refused, none of its addresses takes the place of another client's count. */
export const limitersOf = (kind: Kind, request: FastifyRequest): readonly LimiterName[] =>
  clientNetwork(request) === null ? OF_ADDRESS[kind] : OF_NETWORK[kind];

/** Each is counted apart: addresses of IPv6, which cost nothing, must not drop the counts of others. */
export function rulesOf(
  { reads, writes, signIns }: RateLimits,
  accountOf: (request: FastifyRequest) => string | null,
): Rules {
  const max: Record<Kind, number> = {
    read: reads,
    page: Math.ceil(reads / READS_OF_PAGE),
    write: writes,
    signIn: signIns,
    bulk: BULK_CALLS,
  };
  const rules = KINDS.flatMap((kind): [LimiterName, Rule][] => [
    [kind, { max: max[kind], nameOf: clientKey }],
    [`${kind}OfHome`, { max: max[kind], nameOf: clientKey }],
    [`${kind}OfNetwork`, { max: max[kind] * NETWORK_CALLS, nameOf: clientNetwork }],
  ]);
  return Object.fromEntries([...rules, ["bulkOfAccount", { max: BULK_CALLS, nameOf: accountOf }]]) as Rules;
}

const mapRules = <Limiter>(rules: Rules, make: (rule: Rule, name: LimiterName) => Limiter) =>
  Object.fromEntries(
    (Object.entries(rules) as [LimiterName, Rule][]).map(([name, rule]) => [name, make(rule, name)]),
  ) as Record<LimiterName, Limiter>;

/** Those that this process counts alone, of so many names at a time. */
export const ownLimiters = (rules: Rules, names: number): Limiters =>
  mapRules(rules, ({ max, nameOf }) => {
    const count = createWindowCounts({ max, windowMs: MINUTE_MS, names });
    return (request) => count(String(nameOf(request)));
  });

/** Those that all processes count together, while Redis answers. */
export async function sharedLimiters(
  app: FastifyInstance,
  rules: Rules,
  redis: Redis,
  own: Limiters,
): Promise<Limiters<Promise<Spent>>> {
  const opened = Promise.withResolvers<Limiters<Promise<Spent>>>();
  await app.register(async (context) => {
    await context.register(rateLimit, { global: false, redis, nameSpace: NAMESPACE });
    opened.resolve(
      mapRules(rules, ({ max, nameOf }, name) => {
        const keyGenerator = (request: FastifyRequest) => `${name}:${nameOf(request)}`;
        const limiter = context.createRateLimit({ max, timeWindow: MINUTE_MS, keyGenerator });
        return async (request) => {
          const spent = await limiter(request);
          return spent.isAllowed ? NOT_EXCEEDED : spent;
        };
      }),
    );
  });
  return sharedOrOwn(await opened.promise, rules, own, app.log);
}

/** After a failure the shared count is left alone for a moment: waiting for it would slow every request. */
function sharedOrOwn(
  shared: Limiters<Promise<Spent>>,
  rules: Rules,
  own: Limiters,
  log: FastifyInstance["log"],
): Limiters<Promise<Spent>> {
  let awayUntil = 0;
  let isAway = false;
  return mapRules(rules, (_rule, name) => async (request: FastifyRequest) => {
    if (performance.now() < awayUntil) return own[name](request);
    try {
      const spent = await shared[name](request);
      if (isAway) log.info("rate limits are counted together again");
      isAway = false;
      return spent;
    } catch (error) {
      awayUntil = performance.now() + SHARED_AGAIN_AFTER_MS;
      if (!isAway) log.warn({ err: error }, "rate limits are counted by this process alone");
      isAway = true;
      return own[name](request);
    }
  });
}
