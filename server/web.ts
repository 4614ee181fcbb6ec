import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { createAccounts } from "./accounts/index.ts";
import { createSeenUpdates, type BotWebhookParts } from "./notifications/telegram/index.ts";
import { createHttpApp } from "./http/app.ts";
import { createHealth } from "./http/health.ts";
import type { Metrics } from "./http/metrics.ts";
import { sitePlugin } from "./site/site.ts";
import type { Closers, House } from "./services.ts";
import { listSandboxMail } from "./notifications/index.ts";
import { createPushSubscriptions } from "./notifications/push/index.ts";
import type { PushParts } from "./notifications/push/routes.ts";
import { createMarketOverrides } from "./rates/market/overrides.ts";
import type { SandboxParts } from "./sandbox/routes.ts";
import { readSiteConfig } from "./config/site.ts";

export type WebOptions = {
  /** Serves the app from source through Vite. */
  isDev: boolean;
  /** Takes all prices anew at once; a process without the worker role leaves that to the worker's own turn. */
  takePrices: () => Promise<unknown>;
  metrics: Metrics | null;
};

/** The role that speaks HTTP: API, socket and pages. It holds no keys. Listens, and answers health from what it has seen. */
export async function startWeb(house: House, options: WebOptions, closers: Closers): Promise<FastifyInstance> {
  const { config, log, database, catalogue, rates, readers, status, clock } = house;
  const { settings, redirects } = readSiteConfig(process.env);
  const connectOrigins = [new URL(settings.connectivityUrl).origin];
  const active = [...catalogue.instruments.values()].filter((instrument) => instrument.isActive);
  const networks = { isUp: (networkTitle: string) => readers.has(networkTitle) && status.isUp(networkTitle) };
  const health = createHealth({
    database,
    rates,
    networks,
    isRefundOnly: () => house.switches.refundOnly() !== null,
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
    orderService: house.engine.orderService,
    accounts: createAccounts({ database, clock, bot: config.telegram.launch }),
    networks: readers,
    health,
    redis: house.shared.redis,
    isLeaving: () => isLeaving,
    ...(options.metrics && { metrics: options.metrics }),
    push: pushOf(house),
    ...botWebhookOf(house),
    ...(config.sandbox && { sandbox: sandboxOf(house, options) }),
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

function botWebhookOf({ config, database }: House): { botWebhook?: BotWebhookParts } {
  const { webhook } = config.telegram;
  if (webhook === null) return {};
  return { botWebhook: { secret: webhook.secret, publicUrl: config.publicUrl, seen: createSeenUpdates(database) } };
}

function pushOf({ config: { push }, database, pushKeys }: House): PushParts {
  return {
    subscriptions: createPushSubscriptions(database),
    offered: push && pushKeys && { ...push, publicKey: pushKeys.publicKey },
  };
}

function sandboxOf(house: House, options: WebOptions): SandboxParts {
  const { engine, catalogue, clock, database } = house;
  const overrides = createMarketOverrides(database);
  return {
    orderService: engine.orderService,
    catalogue,
    networks: house.sandboxNetworks,
    clock,
    setPrice: (slug, price) => overrides.set(slug, price, clock.now()),
    takePrices: options.takePrices,
    mail: () => listSandboxMail(database),
  };
}
