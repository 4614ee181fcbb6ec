import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { createAccounts, lockSignedIn } from "./accounts/index.ts";
import { refuseListen } from "./base/processes/listen-error.ts";
import type { Closers } from "./base/processes/run-process.ts";
import { ConfigError } from "./base/processes/startup-error.ts";
import { siteSettings } from "./config/site.ts";
import { openContent } from "./content/index.ts";
import { createReferralClicks, referralOf } from "./earnings/index.ts";
import { createHealth } from "./http/monitoring/health.ts";
import type { Metrics } from "./http/monitoring/metrics.ts";
import { clientKey, clientNetwork } from "./http/security/client-names.ts";
import { createInquiries } from "./notifications/index.ts";
import { coinDrawings, createDrawing } from "./pictures/index.ts";
import { openPrices } from "./prices/index.ts";
import type { PricePublisher } from "./rates/snapshots/price-publisher.ts";
import { openSandboxAccess } from "./sandbox/access.ts";
import { createSessionCheck } from "./site/session-check.ts";
import { sitePlugin } from "./site/site.ts";
import { createVerification, openDocumentKey } from "./verification/index.ts";
import type { Services } from "./services.ts";
import { createWebApp } from "./web-app.ts";
import {
  accountAreas,
  botWebhookOf,
  cardOf,
  earningsOf,
  pageFigures,
  pushOf,
  sandboxOf,
  versionsOf,
} from "./web-areas.ts";

export type WebOptions = {
  /** Serves the app from source through Vite. */
  isDev: boolean;
  /** Null without the worker role: another process publishes the prices. */
  pricePublisher: PricePublisher | null;
  /** Whether the worker of this start runs; true where others run it. */
  isWorkerUp: () => boolean;
  metrics: Metrics | null;
};

/** The web role: API, sockets and pages. It holds no keys. */
export async function startWeb(services: Services, options: WebOptions, closers: Closers): Promise<FastifyInstance> {
  const { config, log, database, catalogue, rates, readers, status, clock, creations } = services;
  const settings = siteSettings(config.site, catalogue.terms, config.card.mercuryo !== null);
  const { redirects, ...content } = await openContent({ config, figures: pageFigures(services), log }, closers);
  const connectOrigins = [new URL(settings.connectivityUrl).origin];
  const active = [...catalogue.instruments.values()].filter((instrument) => instrument.isActive);
  const networks = {
    isUp: (networkTitle: string) =>
      readers.has(networkTitle) && status.isUp(networkTitle) && !services.switches.isHeld(networkTitle),
  };
  const health = createHealth({
    database,
    creations,
    rates,
    networks,
    isWorkerUp: options.isWorkerUp,
    isRefundOnly: () => services.switches.refundOnly() !== null,
    networkTitles: [...new Set(active.map((instrument) => instrument.networkTitle))],
    log,
  });
  await health.start();
  closers.add(async () => health.stop());

  prepareAddresses(services, closers);

  const sandboxAccess = config.sandbox ? await openSandboxAccess(database, config.publicUrl) : null;
  const documentKey = await openDocumentKey(database, config);
  if (documentKey === null) throw new ConfigError("KYC_KEY is needed outside the sandbox: openssl rand -hex 32");
  const verification = createVerification({ database, clock, lockSignedIn, key: documentKey });
  const accounts = createAccounts({
    database,
    clock,
    bot: config.telegram.launch,
    secondFactorKey: config.secondFactorKey,
    arePartnerReferralsOn: config.arePartnerReferralsOn,
    apiKeysKey: config.apiKeysKey,
    areas: accountAreas(verification),
    onMail: services.wakeWorkers,
  });
  const clicks = createReferralClicks(services);
  closers.add(() => clicks.flush());
  let isLeaving = false;
  const app = await createWebApp({
    config: { ...config, connectOrigins, redirects },
    log,
    securityLog: services.securityLog,
    database,
    clock,
    catalogue,
    rates,
    orderService: services.engine.orderService,
    creations,
    available: services.availableBalances.available,
    accounts,
    earnings: earningsOf(services),
    verification,
    inquiries: createInquiries({
      database,
      operatorEmail: config.site.operatorEmail,
      onQueued: services.wakeWorkers,
      log,
    }),
    networks: readers,
    health,
    redis: services.shared.redis,
    isLeaving: () => isLeaving,
    securityContact: config.securityContact,
    versions: versionsOf(services),
    ...(options.metrics && { metrics: options.metrics }),
    push: pushOf(services),
    onJobs: services.wakeWorkers,
    // By the real date: the sandbox moves the business clock.
    prices: openPrices({ ...services, isSandbox: config.sandbox }),
    card: cardOf(services),
    ...content,
    drawPicture: createDrawing(coinDrawings(join(config.distDir, "client/icons/coins.svg"))),
    ...botWebhookOf(services),
    ...(sandboxAccess && { sandbox: sandboxOf(services, options.pricePublisher, sandboxAccess) }),
    site: (instance) =>
      sitePlugin(instance, {
        config,
        settings,
        connectOrigins,
        distDir: config.distDir,
        clock,
        isDev: options.isDev,
        hasRemoteArticles: config.site.contentUrl !== null,
        onPage: (request) => {
          const referrerId = referralOf(request.query);
          if (referrerId !== null) clicks.count(referrerId, clientNetwork(request) ?? clientKey(request));
        },
        isSignedIn: createSessionCheck((token) => accounts.authenticateToken(token)),
        cardProviderOrigin: config.card.mercuryo && new URL(config.card.mercuryo.pagesUrl).origin,
        ...(sandboxAccess && { sandboxTokenFor: (request) => sandboxAccess.tokenFor(request) }),
      }),
  });
  closers.add(() => app.close());
  const { port, host } = config;
  await app.listen({ port, host }).catch((error: unknown) => refuseListen(error, "PORT", { port, host }));
  const drainMs = config.drainSeconds * 1_000;
  closers.add(async () => {
    isLeaving = true;
    await delay(drainMs);
  }, drainMs);
  return app;
}

/** A wallet that does not answer now is asked again when its network is up. */
function prepareAddresses({ engine, readers, status }: Services, closers: Closers): void {
  for (const network of readers.keys()) void engine.prepareAddresses(network);
  const unsubscribe = status.onChange((network, isUp) => isUp && void engine.prepareAddresses(network));
  closers.add(async () => unsubscribe());
}
