import { randomBytes } from "node:crypto";
import websocket from "@fastify/websocket";
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { CodedError } from "#contract/errors.ts";
import type { HealthStatus } from "#contract/health.ts";
import type { RedirectRule } from "#contract/site.ts";
import type { InProcessCall } from "#contract/ssr.ts";
import type { Accounts } from "../accounts/port.ts";
import { accountHandlers } from "../accounts/routes.ts";
import { addBotWebhook, type BotWebhookParts } from "../notifications/telegram/index.ts";
import type { Redis } from "../bus/index.ts";
import type { Catalogue } from "../catalogue/index.ts";
import { contentHandlers } from "../content/routes.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../base/log.ts";
import type { NetworkReader } from "../chains/port.ts";
import type { OrderService } from "../orders/port.ts";
import { orderHandlers } from "../orders/routes.ts";
import { pushHandlers, type PushParts } from "../notifications/push/routes.ts";
import type { Rates } from "../rates/port.ts";
import { addRateSocket, rateHandlers, type SocketLimits } from "../rates/routes.ts";
import { addSandboxRoutes, type SandboxParts } from "../sandbox/routes.ts";
import { addCallRoutes, createInProcessCall } from "./call-routes.ts";
import { answerClientError } from "./client-error.ts";
import { closeSockets } from "./close-sockets.ts";
import { closeAfterAnswers } from "./draining.ts";
import { answerError } from "./errors.ts";
import { createIdempotency } from "./idempotency.ts";
import { createIdempotencyKeys } from "./idempotency-keys.ts";
import { measureRoutes, type Metrics } from "./metrics.ts";
import { addOpenApi } from "./openapi.ts";
import { parseByZod, writeByZod } from "./parsing.ts";
import { clientKey, createInternalCalls, limitRates, type RateLimits } from "./rate-limits.ts";
import { addRequestLog } from "./request-log.ts";
import { guardSameOrigin, mayOpenSocket } from "./same-origin.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { answerUnknownRoutes } from "./unknown-routes.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** How a page that this process renders calls the API. */
    callInProcess: InProcessCall;
  }
}

export type HttpConfig = {
  publicUrl: string;
  sandbox: boolean;
  trustProxy: boolean | number | readonly string[];
  rateLimits: RateLimits;
  socketLimits?: SocketLimits;
  /** Origins beyond our own that pages may call. */
  connectOrigins?: readonly string[];
  redirects?: readonly RedirectRule[];
};

export type HttpParts = {
  config: HttpConfig;
  log: Log;
  database: Database;
  catalogue: Catalogue;
  rates: Rates;
  orderService: OrderService;
  accounts: Accounts;
  networks: ReadonlyMap<string, NetworkReader>;
  health: { status(): HealthStatus };
  /** Whether this process was told to stop and takes its leave of whoever sends it requests. */
  isLeaving?: () => boolean;
  /** Only while the sandbox is on. */
  sandbox?: SandboxParts;
  /** Absent: the bot asks for its messages, or there is none. */
  botWebhook?: BotWebhookParts;
  push: PushParts;
  metrics?: Metrics;
  /** Where all processes count requests together. */
  redis?: Redis | null;
  /** The pages. */
  site?: FastifyPluginAsync;
};

const BODY_LIMIT = 64 * 1024;
const SOCKET_MESSAGE_LIMIT = 64 * 1024;

/** Longer than the longest call (creation, 200 s); a quicker limit holds for what is slow to arrive. */
const TIMEOUTS = {
  connectionTimeout: 240_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  http: { headersTimeout: 15_000 },
};

/** The whole HTTP side: API, socket, sandbox and pages on one server, not yet listening. */
export async function createHttpApp(parts: HttpParts): Promise<FastifyInstance> {
  const { config, log, catalogue, rates, orderService, networks } = parts;
  // The instance's own logger type would spread into every type that takes the instance.
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    ...TIMEOUTS,
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies(config.trustProxy),
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    requestIdHeader: false,
    genReqId: () => randomBytes(16).toString("hex"),
    // Fastify's own answer while it closes is not in the contract's form: closeAfterAnswers gives it.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  });
  app.setValidatorCompiler(parseByZod);
  app.setSerializerCompiler(writeByZod);
  app.setErrorHandler(answerError);
  app.removeContentTypeParser("text/plain");

  const internal = createInternalCalls();
  app.decorate("callInProcess", createInProcessCall(app, internal));
  closeAfterAnswers(app);
  addRequestLog(app);
  if (parts.metrics) measureRoutes(app, parts.metrics);
  answerUnknownRoutes(app);
  addSecurityHeaders(app, config.connectOrigins ?? []);
  await limitRates(app, config.rateLimits, internal, parts.redis);
  guardSameOrigin(app, config);

  await app.register(websocket, {
    options: { maxPayload: SOCKET_MESSAGE_LIMIT, perMessageDeflate: false },
    preClose: (done) => closeSockets(app, done),
  });
  await addOpenApi(app, config.publicUrl);

  const keys = createIdempotencyKeys(parts.database);
  pruneHourly(app, [keys, parts.accounts, ...(parts.botWebhook ? [parts.botWebhook.seen] : [])]);
  addCallRoutes(
    app,
    {
      ...orderHandlers({ orderService, catalogue }),
      ...rateHandlers({ catalogue, rates, networks }),
      ...contentHandlers(config.redirects ?? []),
      ...accountHandlers(parts.accounts),
      ...pushHandlers(parts.push, orderService),
      health: () => ({ status: parts.health.status() }),
      healthz: () => {
        if (parts.isLeaving?.()) throw new CodedError("ERR_SERVICE_UNAVAILABLE", "This process is about to stop");
        return { status: "OK" };
      },
    },
    { idempotency: createIdempotency(keys, log), accounts: parts.accounts },
  );
  addRateSocket(app, {
    rates,
    log,
    mayOpen: (request) => mayOpenSocket(request, config),
    clientOf: clientKey,
    limits: config.socketLimits,
  });
  if (parts.botWebhook) addBotWebhook(app, parts.botWebhook);
  if (parts.sandbox) addSandboxRoutes(app, parts.sandbox);
  if (parts.site) await app.register(parts.site);
  return app;
}

/** Forgets what is too old to be asked for. */
function pruneHourly(app: FastifyInstance, stores: readonly { prune(): Promise<void> }[]): void {
  const prune = () => {
    for (const store of stores)
      store.prune().catch((error: unknown) => app.log.warn({ err: error }, "old rows could not be deleted"));
  };
  // A start that fails after this must not be kept alive by it.
  const timer = setInterval(prune, 3_600_000).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}

/** Fastify takes everything that the configuration can say but a number of hops. */
function trustedProxies(
  given: HttpConfig["trustProxy"],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (typeof given === "number") return (_address, hop) => hop < given;
  return typeof given === "boolean" ? given : [...given];
}
