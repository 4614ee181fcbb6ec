import websocket from "@fastify/websocket";
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { CodedError } from "#contract/errors.ts";
import type { HealthStatus } from "#contract/health.ts";
import type { InProcessCall } from "#contract/site/ssr.ts";
import type { Log } from "../base/logging/log.ts";
import type { SecurityLog } from "../base/logging/security-log.ts";
import { traceId } from "../base/secrets.ts";
import type { Handlers } from "../base/routes.ts";
import { createIsDirect } from "../base/direct-requests.ts";
import type { Clock } from "../base/clock.ts";
import type { Redis } from "../bus/index.ts";
import type { CreationSteps } from "../db/creation-steps.ts";
import type { Database } from "../db/database.ts";
import { addCallRoutes, createInProcessCall, type CallParts } from "./call-routes.ts";
import { decideCookieSecurity } from "./cookies.ts";
import { asksForSocket, closeAfterAnswers, closeSockets } from "./draining.ts";
import {
  answerClientError,
  answerError,
  answerFrameworkError,
  answerUnknownExpectations,
  answerUnknownRoutes,
} from "./errors.ts";
import { createIdempotency } from "./idempotency.ts";
import { createIdempotencyKeys } from "./idempotency-keys.ts";
import { measureRoutes, type Metrics } from "./monitoring/metrics.ts";
import { addOpenApi } from "./openapi/document.ts";
import { parseByZod, readJsonBodies, writeByZod } from "./parsing.ts";
import type { RateLimits } from "./security/limiters.ts";
import { createInternalCalls, limitRates } from "./security/rate-limits.ts";
import { RequestLog } from "./monitoring/request-log.ts";
import { endFaultySocket, refuseAmbiguousRequests, refuseStrayUpgrades } from "./security/refused-requests.ts";
import { guardSameOrigin } from "./security/same-origin.ts";
import { sendServerTime } from "./server-time.ts";
import { recordRefusals } from "./security/security-events.ts";
import { addSecurityHeaders } from "./security/security-headers.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** How a page that this process renders calls the API, for the client whose address it is. */
    callInProcess: (clientAddress?: string) => InProcessCall;
    /** Counts a page that is about to be rendered, beside the read that it is; one too many throws the CodedError of 429. */
    countPage: (request: FastifyRequest) => Promise<void>;
    countBulk: (request: FastifyRequest, account: string) => Promise<void>;
  }
  interface FastifyRequest {
    /** A JSON body as it came, where the route keeps it. */
    rawBody: string | null;
  }
  interface FastifyContextConfig {
    /** What signs a body signs its bytes. */
    keepsBody?: boolean;
    /** The route is a WebSocket; everywhere else an upgrade is not found. */
    isSocket?: boolean;
    /** Requests of the route are not counted by the limits: files that are asked for once, and the sandbox. */
    isUncounted?: boolean;
  }
}

type HttpConfig = {
  publicUrl: string;
  sandbox: boolean;
  trustProxy: false | number | readonly string[];
  rateLimits: RateLimits;
  /** Origins beyond our own that pages may call. */
  connectOrigins?: readonly string[];
};

export type HttpParts = {
  config: HttpConfig;
  log: Log;
  securityLog: SecurityLog;
  database: Database;
  /** The business clock. */
  clock: Clock;
  /** The calls of all areas; health and healthz are answered here. */
  handlers: Omit<Handlers, "health" | "healthz">;
  authenticateToken: CallParts["authenticateToken"];
  /** The calls whose answers are the same for everyone, and what they are made of. */
  versions?: CallParts["versions"];
  health: { status(): HealthStatus };
  /** Sees how the database takes part in each creation. */
  creations?: CreationSteps;
  /** True once the process is stopping: load balancers should send requests elsewhere. */
  isLeaving?: () => boolean;
  metrics?: Metrics;
  /** Counts the requests of all processes together. */
  redis?: Redis | null;
  /** Whose old rows are deleted every hour. */
  prunable: readonly { prune(): Promise<void> }[];
  /** What is no call of the contract: sockets, webhooks, the sandbox, pages. */
  plugins: readonly FastifyPluginAsync[];
};

const BODY_LIMIT = 64 * 1024;
/**
 * A request for rates has some 300 bytes. A frame that is not whole yet holds up to 200 bytes of memory for each chunk that brought it, and
 * each fragment of a message as much: ws's own limits let one socket hold 9 MB.
 */
const SOCKET_LIMITS = { maxPayload: 4 * 1024, maxFragments: 16, maxBufferedChunks: 64 };

/** Longer than the longest call (creation, 200 s); a quicker limit holds for what is slow to arrive. */
const TIMEOUTS = {
  connectionTimeout: 240_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  http: {
    headersTimeout: 15_000,
    // A request without a Host is refused below, with the headers of every answer.
    requireHostHeader: false,
    // Another protocol, as Java's client and curl offer HTTP/2, is declined by an answer in this one (RFC 9110 §7.8).
    shouldUpgradeCallback: asksForSocket,
  },
};

/** The HTTP server with the given routes, not yet listening. */
export async function createHttpApp(parts: HttpParts): Promise<FastifyInstance> {
  const { config, log } = parts;
  // The instance's own logger type would spread into every type that takes the instance.
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    ...TIMEOUTS,
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies(config.trustProxy),
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    requestIdHeader: false,
    genReqId: traceId,
    childLoggerFactory: (logger, bindings, options) => new RequestLog(logger, bindings, options),
    // Fastify's own answer while it closes is not in the contract's form: closeAfterAnswers gives it.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerFrameworkError(error, request, reply),
  });
  app.setValidatorCompiler(parseByZod);
  app.setSerializerCompiler(writeByZod);
  app.setErrorHandler(answerError);
  app.removeContentTypeParser("text/plain");
  readJsonBodies(app);

  const internal = createInternalCalls();
  app.decorate("callInProcess", createInProcessCall(app, internal));
  closeAfterAnswers(app);
  addRequestLog(app, log);
  recordRefusals(app, parts.securityLog);
  if (parts.metrics) measureRoutes(app, parts.metrics);
  answerUnknownRoutes(app);
  answerUnknownExpectations(app.server);
  addSecurityHeaders(app, config.connectOrigins ?? []);
  sendServerTime(app, parts.clock);
  refuseAmbiguousRequests(app);
  await limitRates(app, config, internal, parts.redis);
  guardSameOrigin(app, config);
  decideCookieSecurity(app, config.publicUrl);

  await app.register(websocket, {
    options: { ...SOCKET_LIMITS, perMessageDeflate: false },
    preClose: (done) => closeSockets(app, done),
    errorHandler: endFaultySocket,
  });
  refuseStrayUpgrades(app);
  await addOpenApi(app, config.publicUrl);

  const keys = createIdempotencyKeys(parts.database, parts.creations);
  pruneHourly(app, [keys, ...parts.prunable]);
  addCallRoutes(
    app,
    {
      ...parts.handlers,
      health: () => ({ status: parts.health.status() }),
      healthz: () => {
        if (parts.isLeaving?.()) throw new CodedError("ERR_SERVICE_UNAVAILABLE", "This process is about to stop");
        return { status: "OK" };
      },
    },
    {
      idempotency: createIdempotency(keys, log),
      authenticateToken: parts.authenticateToken,
      isDirect: createIsDirect(config.publicUrl),
      ...(parts.versions && { versions: parts.versions }),
    },
  );
  for (const plugin of parts.plugins) await plugin(app, {});
  return app;
}

/** Logs one line for each answer, with the route's pattern: a URL may hold ids and keys. */
function addRequestLog(app: FastifyInstance, log: Log): void {
  app.addHook("onResponse", (request, reply, done) => {
    const isFailed = reply.statusCode >= 500;
    if (!log.isLevelEnabled(isFailed ? "warn" : "debug")) return done();
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (isFailed) request.log.warn(line, "answered");
    else request.log.debug(line, "answered");
    done();
  });
}

function pruneHourly(app: FastifyInstance, stores: readonly { prune(): Promise<void> }[]): void {
  const prune = () => {
    for (const store of stores)
      store.prune().catch((error: unknown) => app.log.warn({ err: error }, "old rows could not be deleted"));
  };
  // Unreferenced, so that a start that fails after this can exit.
  const timer = setInterval(prune, 3_600_000).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}

/** Fastify takes everything that the configuration can say but a number of hops. */
function trustedProxies(
  given: HttpConfig["trustProxy"],
): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof given === "number") return (_address, hop) => hop < given;
  return given === false ? false : [...given];
}
