import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { createAccounts } from "./accounts/index.ts";
import { createSeenUpdates, type BotWebhookParts } from "./notifications/telegram/index.ts";
import { createHttpApp } from "./http/app.ts";
import { createHealth } from "./http/health.ts";
import type { Metrics } from "./http/metrics.ts";
import { sitePlugin } from "./site/site.ts";
import type { Closers, Services } from "./services.ts";
import { listSandboxMail } from "./notifications/index.ts";
import { createPushSubscriptions } from "./notifications/push/index.ts";
import type { PushParts } from "./notifications/push/routes.ts";
import type { PricePublisher } from "./rates/price-publisher.ts";
import { createMarketOverrides } from "./rates/market/overrides.ts";
import type { SandboxParts } from "./sandbox/routes.ts";
import { readSiteConfig } from "./config/site.ts";

export type WebOptions = {
  /** Serves the app from source through Vite. */
  isDev: boolean;
  /** Null without the worker role: another process publishes the prices. */
  pricePublisher: PricePublisher | null;
  metrics: Metrics | null;
};

/** Longer than the publisher's interval: without a bus its next snapshot is waited for. */
const FRESH_PRICES_TIMEOUT_MS = 5_000;

/** The web role: API, sockets and pages. It holds no keys. */
export async function startWeb(services: Services, options: WebOptions, closers: Closers): Promise<FastifyInstance> {
  const { config, log, database, catalogue, rates, readers, status, clock } = services;
  const { settings, redirects } = readSiteConfig(process.env);
  const connectOrigins = [new URL(settings.connectivityUrl).origin];
  const active = [...catalogue.instruments.values()].filter((instrument) => instrument.isActive);
  const networks = { isUp: (networkTitle: string) => readers.has(networkTitle) && status.isUp(networkTitle) };
  const health = createHealth({
    database,
    rates,
    networks,
    isRefundOnly: () => services.switches.refundOnly() !== null,
    networkTitles: [...new Set(active.map((instrument) => instrument.networkTitle))],
    log,
  });
  await health.start();
  closers.add(async () => health.stop());

  let isLeaving = false;
  const app = await createHttpApp({
    config: { ...config, connectOrigins, redirects },
    log,
    database,
    catalogue,
    rates,
    orderService: services.engine.orderService,
    accounts: createAccounts({ database, clock, bot: config.telegram.launch }),
    networks: readers,
    health,
    redis: services.shared.redis,
    isLeaving: () => isLeaving,
    ...(options.metrics && { metrics: options.metrics }),
    push: pushOf(services),
    ...botWebhookOf(services),
    ...(config.sandbox && { sandbox: sandboxOf(services, options) }),
    site: (instance) =>
      sitePlugin(instance, { config, settings, connectOrigins, distDir: config.distDir, clock, isDev: options.isDev }),
  });
  closers.add(() => app.close());
  await app.listen({ port: config.port, host: config.host });
  closers.add(async () => {
    isLeaving = true;
    await delay(config.drainSeconds * 1_000);
  });
  return app;
}

function botWebhookOf({ config, database }: Services): { botWebhook?: BotWebhookParts } {
  const { webhook } = config.telegram;
  if (webhook === null) return {};
  return { botWebhook: { secret: webhook.secret, publicUrl: config.publicUrl, seen: createSeenUpdates(database) } };
}

function pushOf({ config: { push }, database, pushKeys }: Services): PushParts {
  return {
    subscriptions: createPushSubscriptions(database),
    offered: push && pushKeys && { ...push, publicKey: pushKeys.publicKey },
  };
}

function sandboxOf(services: Services, options: WebOptions): SandboxParts {
  const { engine, catalogue, clock, database } = services;
  const overrides = createMarketOverrides(database);
  return {
    orderService: engine.orderService,
    catalogue,
    networks: services.sandboxNetworks,
    clock,
    setPrice: (slug, price) => overrides.set(slug, price, clock.now()),
    takePrices: () => publishPrices(services, options.pricePublisher),
    mail: () => listSandboxMail(database),
  };
}

/** Publishes a new price snapshot: in this process, or in the one that publishes them, whose snapshot is waited for. */
async function publishPrices(
  { priceSnapshots, clock, log, shared }: Services,
  pricePublisher: PricePublisher | null,
): Promise<void> {
  const requestedAt = clock.now();
  if (pricePublisher !== null && (await pricePublisher.make()) !== null) return;
  const isFresh = () => (priceSnapshots.newest()?.at ?? requestedAt) > requestedAt;
  const fresh = Promise.withResolvers<void>();
  const unsubscribe = priceSnapshots.onChange(() => isFresh() && fresh.resolve());
  const timer = setTimeout(fresh.resolve, FRESH_PRICES_TIMEOUT_MS);
  shared.bus.tell("prices");
  await fresh.promise;
  clearTimeout(timer);
  unsubscribe();
  if (!isFresh()) log.warn("no process has published new prices");
}
