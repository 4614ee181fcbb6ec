import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { RedirectRule } from "#contract/site/site.ts";
import type { Accounts } from "./accounts/port.ts";
import { accountHandlers } from "./accounts/routes.ts";
import { cardHandlers } from "./card/index.ts";
import type { Card } from "./card/port.ts";
import type { Catalogue } from "./catalogue/index.ts";
import type { NetworkReader } from "./chains/port.ts";
import type { SecurityContact } from "./config/security-contact.ts";
import type { Articles } from "./content/articles.ts";
import { addArticlePictures } from "./content/article-pictures.ts";
import { addFeeds } from "./content/feeds.ts";
import type { Pages } from "./content/pages.ts";
import { contentHandlers } from "./content/routes.ts";
import { openSeoTexts, type SeoTexts } from "./content/seo-texts.ts";
import type { Earnings } from "./earnings/port.ts";
import { earningsHandlers } from "./earnings/routes.ts";
import { createHttpApp, type HttpParts } from "./http/app.ts";
import { clientKey, clientNetwork } from "./http/security/client-names.ts";
import { mayOpenSocket } from "./http/security/same-origin.ts";
import { addBotWebhook, type BotWebhookParts, type Inquiries } from "./notifications/index.ts";
import { inquiryHandlers } from "./notifications/inquiries/routes.ts";
import { pushHandlers, type PushParts } from "./notifications/push/routes.ts";
import type { OrderService } from "./orders/port.ts";
import { orderHandlers } from "./orders/routes.ts";
import { addPartnerRoutes, createUsedSignatures, createWebhooks, webhookHandlers } from "./partner-api/index.ts";
import { createPictures, type ArticleTexts, type DrawPicture } from "./pictures/index.ts";
import { addPictures } from "./pictures/routes.ts";
import { priceHandlers, type Prices } from "./prices/index.ts";
import type { Rates } from "./rates/port.ts";
import { addRateFeed, addRateSocket, listPairs, rateHandlers, type SocketLimits } from "./rates/routes.ts";
import { addSandboxRoutes, type SandboxParts } from "./sandbox/routes.ts";
import type { Services } from "./services.ts";
import { addSecurityTxt } from "./site/security-txt.ts";
import type { Verification } from "./verification/port.ts";
import { verificationHandlers } from "./verification/routes.ts";

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
  /** Where the build has written the articles' pictures. */
  articlePicturesDir?: string;
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

/** The HTTP server with the routes of all areas, not yet listening. */
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
  const { articlePicturesDir } = parts;
  if (articlePicturesDir !== undefined) plugins.push(async (app) => addArticlePictures(app, articlePicturesDir));
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
      ...earningsHandlers(parts.earnings, parts.securityLog),
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

const fiatOf = (card: Card | null) => card && { code: card.provider.code, ...card.rates };

function partnerVersionsOf({ rate, instruments, pairs }: NonNullable<HttpParts["versions"]> = {}) {
  return {
    ...(rate && { partnerRate: rate }),
    ...(instruments && { partnerInstruments: instruments }),
    ...(pairs && { partnerPairs: pairs }),
  };
}
