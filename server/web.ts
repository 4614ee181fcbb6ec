import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { formatAmount } from "#contract/money.ts";
import type { RedirectRule } from "#contract/site.ts";
import { createAccounts, lockSignedIn } from "./accounts/index.ts";
import type { Accounts } from "./accounts/port.ts";
import { accountHandlers } from "./accounts/routes.ts";
import { cardHandlers, createCardAccounts } from "./card/index.ts";
import type { Card } from "./card/port.ts";
import type { Catalogue } from "./catalogue/index.ts";
import type { NetworkReader } from "./chains/port.ts";
import type { SecurityContact } from "./config/security-contact.ts";
import { siteSettings } from "./config/site.ts";
import { type Articles, openArticles } from "./content/articles.ts";
import { openPrices, priceHandlers, type Prices } from "./prices/index.ts";
import { openPages, type PageFigures, type Pages } from "./content/pages.ts";
import { watchRating } from "./content/rating.ts";
import { NO_SITE_FILE, readSiteFile } from "./content/site-file.ts";
import { readRedirects } from "./content/redirects.ts";
import { addCovers } from "./content/covers.ts";
import { addFeeds } from "./content/feeds.ts";
import { contentHandlers } from "./content/routes.ts";
import { openSeoTexts, type SeoTexts } from "./content/seo-texts.ts";
import { createEarnings, createReferralClicks, giveCredit, referralOf } from "./earnings/index.ts";
import type { Earnings } from "./earnings/port.ts";
import { earningsHandlers } from "./earnings/routes.ts";
import { refuseListen } from "./base/processes/listen-error.ts";
import { ConfigError } from "./base/processes/startup-error.ts";
import { createHttpApp, type HttpParts } from "./http/app.ts";
import { createHealth } from "./http/monitoring/health.ts";
import type { Metrics } from "./http/monitoring/metrics.ts";
import { clientKey, clientNetwork } from "./http/security/rate-limits.ts";
import { mayOpenSocket } from "./http/security/same-origin.ts";
import {
  addBotWebhook,
  createSeenUpdates,
  type BotWebhookParts,
  listSandboxMail,
  createInquiries,
  sandboxMailer,
  createPushSubscriptions,
  type Inquiries,
} from "./notifications/index.ts";
import { addPartnerRoutes, createUsedSignatures, createWebhooks, webhookHandlers } from "./partners/index.ts";
import { inquiryHandlers } from "./notifications/inquiries/routes.ts";
import { pushHandlers, type PushParts } from "./notifications/push/routes.ts";
import type { OrderService } from "./orders/port.ts";
import { orderHandlers } from "./orders/routes.ts";
import { createMarketOverrides } from "./rates/market/overrides.ts";
import type { Rates } from "./rates/port.ts";
import type { PricePublisher } from "./rates/snapshots/price-publisher.ts";
import { addRateFeed, addRateSocket, listPairs, rateHandlers, type SocketLimits } from "./rates/routes.ts";
import { openSandboxAccess, type SandboxAccess } from "./sandbox/access.ts";
import { SANDBOX_PROVIDER_API } from "./sandbox/mercuryo/api.ts";
import { createSandboxProvider } from "./sandbox/mercuryo/provider.ts";
import { createSandboxCardStore } from "./sandbox/mercuryo/store.ts";
import { addSandboxRoutes, type SandboxParts } from "./sandbox/routes.ts";
import { coinDrawings, createDrawing, createPictures, type ArticleTexts, type DrawPicture } from "./pictures/index.ts";
import { addPictures } from "./pictures/routes.ts";
import { addSecurityTxt } from "./site/security-txt.ts";
import type { Closers } from "./base/processes/run-process.ts";
import type { Services } from "./services.ts";
import { createSessionCheck } from "./site/session-check.ts";
import { sitePlugin } from "./site/site.ts";
import { createVerification, openDocumentKey } from "./verification/index.ts";
import type { Verification } from "./verification/port.ts";
import { verificationHandlers } from "./verification/routes.ts";

export type WebOptions = {
  /** Serves the app from source through Vite. */
  isDev: boolean;
  /** Null without the worker role: another process publishes the prices. */
  pricePublisher: PricePublisher | null;
  /** Whether the worker of this start runs; true where others run it. */
  isWorkerUp: () => boolean;
  metrics: Metrics | null;
};

/** Longer than the publisher's interval: without a bus this waits for its next snapshot. */
const FRESH_PRICES_TIMEOUT_MS = 5_000;

/** The web role: API, sockets and pages. It holds no keys. */
export async function startWeb(services: Services, options: WebOptions, closers: Closers): Promise<FastifyInstance> {
  const { config, log, database, catalogue, rates, readers, status, clock, creations } = services;
  const settings = siteSettings(config.site, catalogue.terms);
  const redirects = config.site.redirectsFile === null ? [] : readRedirects(config.site.redirectsFile);
  const connectOrigins = [new URL(settings.connectivityUrl).origin];
  const active = [...catalogue.instruments.values()].filter((instrument) => instrument.isActive);
  const networks = { isUp: (networkTitle: string) => readers.has(networkTitle) && status.isUp(networkTitle) };
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
  const verification = createVerification({ database, clock, key: documentKey });
  const accounts = createAccounts({
    database,
    clock,
    bot: config.telegram.launch,
    secondFactorKey: config.secondFactorKey,
    arePartnerReferralsOn: config.arePartnerReferralsOn,
    apiKeysKey: config.apiKeysKey,
    verificationsOf: verification.exportOf,
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
    pages: pagesOf(services, closers),
    articles: await articlesOf(services),
    coversDir: join(config.distDir, "content/covers"),
    drawPicture: createDrawing(coinDrawings(join(config.distDir, "client/icons/coins.svg"))),
    ...botWebhookOf(services),
    ...(sandboxAccess && { sandbox: sandboxOf(services, options, sandboxAccess) }),
    site: (instance) =>
      sitePlugin(instance, {
        config,
        settings,
        connectOrigins,
        distDir: config.distDir,
        clock,
        isDev: options.isDev,
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

export type WebAppParts = Omit<HttpParts, "config" | "handlers" | "authenticateToken" | "prunable" | "plugins"> & {
  config: HttpParts["config"] & {
    socketLimits?: SocketLimits;
    redirects?: readonly RedirectRule[];
    /** Signed calls a minute. */
    apiKeyLimits: { reads: number; writes: number };
    apiKeysKey?: Buffer | null;
  };
  catalogue: Catalogue;
  rates: Rates;
  /** What new orders can be promised; unknown by default. */
  available?: Services["availableBalances"]["available"];
  orderService: OrderService;
  accounts: Accounts;
  earnings: Earnings;
  verification: Verification;
  inquiries: Inquiries;
  networks: ReadonlyMap<string, NetworkReader>;
  push: PushParts;
  /** Called when a job waits for a worker. */
  onJobs?: () => void;
  articles: Articles;
  /** Where the build has written the articles' covers. */
  coversDir?: string;
  /** Draws the preview pictures of pages. */
  drawPicture?: DrawPicture;
  /** Those of `locales/` by default. */
  seoTexts?: SeoTexts;
  pages: Pages;
  prices: Prices;
  /** Null where no card provider is configured. */
  card: Card | null;
  /** Only while the sandbox is on. */
  sandbox?: SandboxParts;
  /** Absent where the bot polls for updates, and where there is none. */
  botWebhook?: BotWebhookParts;
  /** Null where the operator names nobody. */
  securityContact?: SecurityContact;
  /** The server-rendered pages. */
  site?: FastifyPluginAsync;
};

/**
 * The HTTP server with the routes of all areas.
 *
 * @internal Exported for its tests.
 */
export function createWebApp(parts: WebAppParts): Promise<FastifyInstance> {
  const { config, log, catalogue, rates, orderService, accounts, botWebhook, sandbox } = parts;
  const plugins: FastifyPluginAsync[] = [
    async (app) =>
      addRateSocket(app, {
        rates,
        fiat: fiatOf(parts.card),
        log,
        mayOpen: (request) => mayOpenSocket(request, config),
        clientOf: (request) => ({ address: clientKey(request), network: clientNetwork(request) }),
        limits: config.socketLimits,
      }),
  ];
  const { database, earnings, redis = null } = parts;
  const webhooks = createWebhooks({
    database,
    isSandbox: config.sandbox,
    apiKeysKey: config.apiKeysKey ?? null,
    onQueued: parts.onJobs ?? (() => undefined),
  });
  const { available = () => null } = parts;
  const article: ArticleTexts = async (section, locale, slug) =>
    (await parts.articles.find({ section, locale }, slug))?.article ?? null;
  if (parts.drawPicture) {
    const pictures = createPictures(parts.drawPicture);
    plugins.push(async (app) => addPictures(app, { catalogue, article, pictures }));
  }
  const { coversDir } = parts;
  if (coversDir !== undefined) plugins.push(async (app) => addCovers(app, coversDir));
  plugins.push(async (app) => addFeeds(app, { articles: parts.articles, publicUrl: config.publicUrl }));
  plugins.push(async (app) => addRateFeed(app, { catalogue, rates, available }));
  plugins.push(async (app) =>
    addPartnerRoutes(app, {
      catalogue,
      rates,
      earnings,
      redis,
      orderService,
      database,
      publicUrl: config.publicUrl,
      readers: parts.networks,
      isSandbox: config.sandbox,
      pairs: () => listPairs(catalogue),
      keys: accounts,
      webhooks,
      versions: partnerVersionsOf(parts.versions),
      used: createUsedSignatures(database),
      limits: config.apiKeyLimits,
    }),
  );
  if (botWebhook) plugins.push(async (app) => addBotWebhook(app, botWebhook));
  if (sandbox) plugins.push(async (app) => addSandboxRoutes(app, sandbox));
  const { site, securityContact } = parts;
  if (securityContact)
    plugins.push(async (app) => addSecurityTxt(app, { ...securityContact, publicUrl: config.publicUrl }));
  if (site)
    plugins.push(async (app) => {
      await app.register(site);
    });
  return createHttpApp({
    ...parts,
    handlers: {
      ...orderHandlers({ orderService, catalogue }),
      ...rateHandlers({ catalogue, rates, fiat: fiatOf(parts.card), networks: parts.networks }),
      ...contentHandlers(config.redirects ?? [], parts.articles, parts.seoTexts ?? openSeoTexts(), parts.pages),
      ...priceHandlers(parts.prices),
      ...webhookHandlers(webhooks),
      ...accountHandlers(accounts, parts.securityLog),
      ...earningsHandlers(parts.earnings),
      ...verificationHandlers(parts.verification),
      ...cardHandlers(parts.card),
      ...pushHandlers(parts.push, orderService),
      ...inquiryHandlers(parts.inquiries),
    },
    authenticateToken: (accessToken) => accounts.authenticateToken(accessToken),
    prunable: [
      accounts,
      parts.inquiries,
      ...(parts.card ? [parts.card.accounts] : []),
      ...(botWebhook ? [botWebhook.seen] : []),
    ],
    plugins,
  });
}

/** A wallet that does not answer now is asked again when its network is up. */
function prepareAddresses({ engine, readers, status }: Services, closers: Closers): void {
  for (const network of readers.keys()) void engine.prepareAddresses(network);
  const unsubscribe = status.onChange((network, isUp) => isUp && void engine.prepareAddresses(network));
  closers.add(async () => unsubscribe());
}

/** The calls that answer everyone the same, and what their answers are made of. */
function versionsOf({ ratesVersion: { ofRates, ofPrices }, orderViews }: Services): NonNullable<HttpParts["versions"]> {
  return {
    rate: ofRates,
    instruments: ofPrices,
    instrumentsV1: ofPrices,
    pairs: ofPrices,
    defaultPair: ofPrices,
    prices: ofPrices,
    priceHistory: ofPrices,
    // Whoever sends the same query proves the same: the order's address is part of it.
    orderInfo: orderViews.version,
  };
}

function partnerVersionsOf({ rate, instruments, pairs }: NonNullable<HttpParts["versions"]> = {}) {
  return {
    ...(rate && { partnerRate: rate }),
    ...(instruments && { partnerInstruments: instruments }),
    ...(pairs && { partnerPairs: pairs }),
  };
}

function pagesOf({ config, catalogue, log }: Services, closers: Closers): Pages {
  const { siteFile, ratingUrl, operatorEmail } = config.site;
  const rating = ratingUrl === null ? null : watchRating(ratingUrl, log);
  if (rating !== null) closers.add(() => rating.stop());
  return openPages({
    folder: join(config.distDir, "content/pages"),
    siteFile: siteFile === null ? NO_SITE_FILE : readSiteFile(siteFile),
    figures: pageFigures(catalogue, config.kycRetentionDays),
    hasForms: operatorEmail !== null,
    rating: () => rating?.current() ?? null,
  });
}

function pageFigures({ terms, instruments }: Catalogue, kycRetentionDays: number): PageFigures {
  const coin = instruments.get(terms.earningsSlug);
  return {
    affiliatePercent: formatAmount(terms.affiliateShareBps, 2),
    cashbackPercent: formatAmount(terms.cashbackBps, 2),
    withdrawalMin: terms.withdrawalMinUsdt,
    earningsCoin: coin === undefined ? terms.earningsSlug : `${coin.currencyTitle} (${coin.networkFriendlyTitle})`,
    rateLockMinutes: String(Math.floor(terms.fixedHoldSeconds / 60)),
    documentDays: String(kycRetentionDays),
  };
}

const fiatOf = (card: Card | null) => card && { code: card.provider.code, ...card.rates };

function cardOf(services: Services): Card | null {
  const { card, database, orderViews, shared, wakeWorkers } = services;
  const { cardOrders } = services.engine;
  if (card === null || cardOrders === null) return null;
  const { provider, rates } = card;
  return {
    provider,
    rates,
    accounts: createCardAccounts(database, provider),
    async takeCallback(rawBody, signature) {
      await cardOrders.takeCallback(rawBody, signature);
      orderViews.clear();
      shared.bus.publish("orders");
      wakeWorkers();
    },
  };
}

function earningsOf(services: Services): Earnings {
  const { config, wakeWorkers } = services;
  return createEarnings({
    ...services,
    isSandbox: config.sandbox,
    publicUrl: config.publicUrl,
    miniAppUrl: config.site.settings.miniAppUrl,
    onJobs: wakeWorkers,
    lockSignedIn,
  });
}

/** Those of the build, or of another host, whose sanitiser is loaded only then. */
async function articlesOf({ config: { site, distDir }, log }: Services): Promise<Articles> {
  if (site.contentUrl === null) return openArticles(join(distDir, "content"), () => new Date());
  const { openRemoteArticles } = await import("./content/remote-articles.ts");
  return openRemoteArticles({ host: site.contentUrl, log });
}

function botWebhookOf({ config, database }: Services): { botWebhook?: BotWebhookParts } {
  const { webhook } = config.telegram;
  if (webhook === null) return {};
  return { botWebhook: { secret: webhook.secret, publicUrl: config.publicUrl, seen: createSeenUpdates(database) } };
}

function pushOf({ config: { push }, database, pushKeys }: Services): PushParts {
  return {
    subscriptions: createPushSubscriptions(database),
    push: push && pushKeys && { ...push, publicKey: pushKeys.publicKey },
  };
}

function sandboxOf(services: Services, options: WebOptions, access: SandboxAccess): SandboxParts {
  const { engine, catalogue, clock, database, activity } = services;
  const { bus } = services.shared;
  const overrides = createMarketOverrides(database);
  return {
    access,
    orderService: engine.orderService,
    catalogue,
    networks: services.sandboxNetworks,
    clock,
    setPrice: (slug, price) => overrides.set(slug, price, clock.now()),
    takePrices: () => publishPrices(services, options.pricePublisher),
    credit: (userId, slug, amount) => giveCredit(database, { userId, slug, amount, at: clock.now() }),
    mail: () => listSandboxMail(database),
    card: sandboxCardOf(services),
    onMoved: () => {
      activity.wakeAll();
      bus.publish("networks");
    },
  };
}

/** Null where a real provider is configured. */
function sandboxCardOf(services: Services): SandboxParts["card"] {
  const { config, database, catalogue, sandboxNetworks: networks, readers, rates, log } = services;
  const { mercuryo } = config.card;
  if (mercuryo === null || !mercuryo.url.endsWith(SANDBOX_PROVIDER_API)) return null;
  const apiUrl = mercuryo.url.slice(0, -SANDBOX_PROVIDER_API.length);
  const store = createSandboxCardStore(database);
  const { secret, partnerToken } = mercuryo;
  const { priceUsd } = rates;
  const provider = createSandboxProvider({
    database,
    store,
    catalogue,
    networks,
    readers,
    priceUsd,
    apiUrl,
    secret,
    log,
  });
  return { provider, partnerToken, publicUrl: config.publicUrl, mail: sandboxMailer(database) };
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
  shared.bus.publish("prices");
  await fresh.promise;
  clearTimeout(timer);
  unsubscribe();
  if (!isFresh()) log.warn("no process has published new prices");
}
