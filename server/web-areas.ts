import { formatAmount } from "#contract/money.ts";
import { lockSignedIn } from "./accounts/index.ts";
import { cardRows } from "./card/account-rows.ts";
import { createCardAccounts } from "./card/index.ts";
import type { Card } from "./card/port.ts";
import type { PageFigures } from "./content/pages.ts";
import type { AccountRows } from "./db/account-rows.ts";
import { earningsRows } from "./earnings/account-rows.ts";
import { createEarnings, creditAccount } from "./earnings/index.ts";
import type { Earnings } from "./earnings/port.ts";
import type { HttpParts } from "./http/app.ts";
import { notificationRows } from "./notifications/account-rows.ts";
import {
  type BotWebhookParts,
  createPushSubscriptions,
  createSeenUpdates,
  listSandboxMail,
} from "./notifications/index.ts";
import type { PushParts } from "./notifications/push/routes.ts";
import { orderRows } from "./orders/account-rows.ts";
import { webhookRows } from "./partner-api/account-rows.ts";
import { createMarketOverrides } from "./rates/market/overrides.ts";
import { type PricePublisher, publishPrices } from "./rates/snapshots/price-publisher.ts";
import type { SandboxAccess } from "./sandbox/access.ts";
import { openSandboxCard } from "./sandbox/mercuryo/open.ts";
import type { SandboxParts } from "./sandbox/routes.ts";
import type { Services } from "./services.ts";
import { verificationRows } from "./verification/account-rows.ts";
import type { Verification } from "./verification/port.ts";

// What the web role hands to each area.

/** What each area has of an account, in the order in which accounts ask them: orders before wallets, as a completion locks them. */
export const accountAreas = (verification: Pick<Verification, "exportOf">): readonly AccountRows[] => [
  orderRows,
  notificationRows,
  earningsRows,
  webhookRows,
  cardRows,
  verificationRows(verification),
];

/** The calls that answer everyone the same, and what their answers are made of. */
export function versionsOf({
  ratesVersion: { ofRates, ofPrices },
  orderViews,
}: Services): NonNullable<HttpParts["versions"]> {
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

export function pageFigures({ config, catalogue: { terms, instruments } }: Services): PageFigures {
  const coin = instruments.get(terms.earningsSlug);
  return {
    affiliatePercent: formatAmount(terms.affiliateShareBps, 2),
    cashbackPercent: formatAmount(terms.cashbackBps, 2),
    withdrawalMin: terms.withdrawalMinUsdt,
    earningsCoin: coin === undefined ? terms.earningsSlug : `${coin.currencyTitle} (${coin.networkFriendlyTitle})`,
    rateLockMinutes: String(Math.floor(terms.rateLockSeconds / 60)),
    documentDays: String(config.kycRetentionDays),
    connectivityHost: new URL(config.site.settings.connectivityUrl).host,
  };
}

export function cardOf(services: Services): Card | null {
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

export function earningsOf(services: Services): Earnings {
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

export function botWebhookOf({ config, database }: Services): { botWebhook?: BotWebhookParts } {
  const { webhook } = config.telegram;
  if (webhook === null) return {};
  return { botWebhook: { secret: webhook.secret, publicUrl: config.publicUrl, seen: createSeenUpdates(database) } };
}

export function pushOf({ config: { push }, database, pushKeys }: Services): PushParts {
  return {
    subscriptions: createPushSubscriptions(database),
    push: push && pushKeys && { ...push, publicKey: pushKeys.publicKey },
  };
}

export function sandboxOf(
  services: Services,
  pricePublisher: PricePublisher | null,
  access: SandboxAccess,
): SandboxParts {
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
    takePrices: () => publishPrices(services, pricePublisher, () => bus.publish("prices")),
    credit: (userId, slug, amount) => creditAccount(database, { userId, slug, amount, at: clock.now() }),
    mail: () => listSandboxMail(database),
    card: openSandboxCard({ ...services, networks: services.sandboxNetworks }),
    onMoved: () => {
      activity.wakeAll();
      bus.publish("networks");
    },
  };
}
