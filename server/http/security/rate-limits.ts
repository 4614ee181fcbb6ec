import { isIP } from "node:net";
import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { calls, type Call } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { equalsInConstantTime, randomHex } from "../../base/secrets.ts";
import type { Redis } from "../../bus/index.ts";

const MINUTE_MS = 60_000;
/** Names of a kind that are counted at a time; the least recently used one is dropped first. */
const NAMES = 20_000;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);
/** Of the networks that many clients share: so many times a client's calls. */
const NETWORK_CALLS = 4;
const NETWORK_BITS = 48;
/**
 * One page of so many reads: rendering the home page takes 8 to 12 ms of the main thread, a rate 0.3 ms. So an address's 240 pages a minute
 * are 3 s of it, and its 960 other reads 0.3 s.
 */
const READS_OF_PAGE = 5;
/** Of the keys in Redis. */
const NAMESPACE = "wherry:limit:";
const SHARED_AGAIN_AFTER_MS = 1_000;
/** Each touches a hundred rows. */
const BULK_CALLS = 20;
const INTERNAL_HEADER = "x-internal-call";

/** Calls a minute and address (contract §1). */
export type RateLimits = { reads: number; writes: number; signIns: number };

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

type ClientNames = { key: string; network: string | null };

/** Parsing an IPv6 address takes a tenth of a millisecond, and a request is counted several times. */
const namesOf = new WeakMap<FastifyRequest, ClientNames>();

function clientNames(request: FastifyRequest): ClientNames {
  const known = namesOf.get(request);
  if (known !== undefined) return known;
  const key = normalizeIP(addressOf(request));
  const network = key.includes(":") ? `${normalizeIP(key, NETWORK_BITS)}/${NETWORK_BITS}` : null;
  const names = { key, network };
  namesOf.set(request, names);
  return names;
}

/** Some proxies add a port to a forwarded address. What is no address at all must not make a client of its own. */
function addressOf({ ip, socket }: FastifyRequest): string {
  if (isIP(ip) !== 0) return ip;
  const withoutPort = /^\[(?<v6>[^\]]+)\](?::\d+)?$|^(?<v4>[\d.]+):\d+$/.exec(ip)?.groups;
  const address = withoutPort?.["v6"] ?? withoutPort?.["v4"] ?? "";
  return isIP(address) !== 0 ? address : (socket.remoteAddress ?? ip);
}

/** The client's own address, whole, by the trusted proxies alone. */
export const clientAddress = (request: FastifyRequest): string => addressOf(request);

/** Names a client for limits: an IPv4 address, or the /64 that an IPv6 client has to itself. */
export const clientKey = (request: FastifyRequest): string => clientNames(request).key;

/** The /48 of an IPv6 client, of which one party may have all 65,536 client keys; null for IPv4. */
export const clientNetwork = (request: FastifyRequest): string | null => clientNames(request).network;

/**
 * Counts every request, also those that lead nowhere, but those of a route that says `isUncounted`; one too many is 429 with Retry-After.
 * With `redis` all processes count together; while it doesn't answer each counts by itself, so that a dead Redis neither stops the site nor
 * lifts the limits.
 */
export async function limitRates(
  app: FastifyInstance,
  { rateLimits: limits }: { rateLimits: RateLimits },
  internal: InternalCalls,
  redis: Redis | null = null,
  /** How many names of a kind are counted at a time. */
  names = NAMES,
): Promise<void> {
  const own = await openLimiters(app, { limits, names, redis: null });
  const shared = redis === null ? null : await openLimiters(app, { limits, names, redis });
  const count = shared === null ? own : sharedOrOwn(shared, own, app.log);

  const spend = async (request: FastifyRequest, kind: Kind): Promise<void> => {
    const isInNetwork = clientNetwork(request) !== null;
    // The network first: once it is refused, none of its addresses takes the place of another client's count.
    for (const limiter of isInNetwork ? [count[`${kind}OfNetwork`], count[`${kind}OfHome`]] : [count[kind]]) {
      refuseTooMany(await limiter(request));
    }
  };

  app.decorate("countPage", (request) => spend(request, "page"));
  app.decorate("countBulk", async (request, account) => {
    if (internal.isInternal(request)) return;
    accounts.set(request, account);
    refuseTooMany(await count.bulkOfAccount(request));
  });
  app.addHook("onRequest", async (request) => {
    // By the route, not by the path: what is not found there costs as much as any page.
    if (request.routeOptions.config?.isUncounted || internal.isInternal(request)) return;
    for (const kind of kindsOf(request)) await spend(request, kind);
  });
}

/** Whose call it is, once its session was read. */
const accounts = new WeakMap<FastifyRequest, string>();

const pathsOf = (flag: "isSignIn" | "isBulk"): ReadonlySet<string> =>
  new Set(Object.values<Call>(calls).flatMap((call) => (call[flag] ? [call.path] : [])));
const SIGN_INS = pathsOf("isSignIn");
const BULK = pathsOf("isBulk");

/** Sign-ins and calls in bulk change state too, and are counted as both. Known by the route: its path can be written in many ways. */
function kindsOf({ method, routeOptions }: FastifyRequest): readonly Kind[] {
  if (READS.has(method)) return ["read"];
  const url = routeOptions.url ?? "";
  return ["write", ...(SIGN_INS.has(url) ? ["signIn" as const] : []), ...(BULK.has(url) ? ["bulk" as const] : [])];
}

type Limiter = ReturnType<FastifyInstance["createRateLimit"]>;
type Kind = "read" | "page" | "write" | "signIn" | "bulk";
type LimiterName = Kind | `${Kind}OfHome` | `${Kind}OfNetwork` | "bulkOfAccount";
type Limiters = Record<LimiterName, Limiter>;
type Counting = { limits: RateLimits; names: number; redis: Redis | null };

/** Each limiter has a store of its own: addresses of IPv6, which cost nothing, must not drop the counts of others. */
async function openLimiters(app: FastifyInstance, { limits, names, redis }: Counting): Promise<Limiters> {
  const opened = Promise.withResolvers<Limiters>();
  await app.register(async (context) => {
    await context.register(rateLimit, { global: false, ...(redis && { redis, nameSpace: NAMESPACE }) });
    const limiterOf = (kind: string, max: number, nameOf: (request: FastifyRequest) => string | null): Limiter => {
      // The types don't name `cache`; without it a limiter counts 5,000.
      const options = { max, timeWindow: MINUTE_MS, cache: names };
      return context.createRateLimit({ ...options, keyGenerator: (request) => `${kind}:${nameOf(request)}` });
    };
    const ofClient = (kind: string, max: number) => limiterOf(kind, max, clientKey);
    const ofNetwork = (kind: string, max: number) => limiterOf(kind, max * NETWORK_CALLS, clientNetwork);
    const pages = Math.ceil(limits.reads / READS_OF_PAGE);
    opened.resolve({
      read: ofClient("read", limits.reads),
      page: ofClient("page", pages),
      write: ofClient("write", limits.writes),
      signIn: ofClient("sign-in", limits.signIns),
      bulk: ofClient("bulk", BULK_CALLS),
      readOfHome: ofClient("read", limits.reads),
      pageOfHome: ofClient("page", pages),
      writeOfHome: ofClient("write", limits.writes),
      signInOfHome: ofClient("sign-in", limits.signIns),
      bulkOfHome: ofClient("bulk", BULK_CALLS),
      readOfNetwork: ofNetwork("read", limits.reads),
      pageOfNetwork: ofNetwork("page", pages),
      writeOfNetwork: ofNetwork("write", limits.writes),
      signInOfNetwork: ofNetwork("sign-in", limits.signIns),
      bulkOfNetwork: ofNetwork("bulk", BULK_CALLS),
      bulkOfAccount: limiterOf("bulk of account", BULK_CALLS, (request) => accounts.get(request) ?? null),
    });
  });
  return opened.promise;
}

/** After a failure the shared count is left alone for a moment: waiting for it would slow every request. */
function sharedOrOwn(shared: Limiters, own: Limiters, log: FastifyInstance["log"]): Limiters {
  let awayUntil = 0;
  let isAway = false;
  const either =
    (kind: keyof Limiters): Limiter =>
    async (request) => {
      if (performance.now() < awayUntil) return own[kind](request);
      try {
        const spent = await shared[kind](request);
        if (isAway) log.info("rate limits are counted together again");
        isAway = false;
        return spent;
      } catch (error) {
        awayUntil = performance.now() + SHARED_AGAIN_AFTER_MS;
        if (!isAway) log.warn({ err: error }, "rate limits are counted by this process alone");
        isAway = true;
        return own[kind](request);
      }
    };
  return {
    read: either("read"),
    page: either("page"),
    write: either("write"),
    signIn: either("signIn"),
    readOfHome: either("readOfHome"),
    pageOfHome: either("pageOfHome"),
    writeOfHome: either("writeOfHome"),
    signInOfHome: either("signInOfHome"),
    readOfNetwork: either("readOfNetwork"),
    pageOfNetwork: either("pageOfNetwork"),
    writeOfNetwork: either("writeOfNetwork"),
    signInOfNetwork: either("signInOfNetwork"),
    bulk: either("bulk"),
    bulkOfHome: either("bulkOfHome"),
    bulkOfNetwork: either("bulkOfNetwork"),
    bulkOfAccount: either("bulkOfAccount"),
  };
}

function refuseTooMany(spent: Awaited<ReturnType<Limiter>>): void {
  if (!spent.isAllowed && spent.isExceeded) throw tooMany(spent.ttlInSeconds);
}

const tooMany = (retryAfterSeconds: number): CodedError =>
  new CodedError("ERR_BAD_REQUEST", "Too many requests", {
    httpStatus: 429,
    retryAfterSeconds: Math.max(1, retryAfterSeconds),
  });
