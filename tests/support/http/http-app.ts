import { arrivalTimesOf } from "../orders/arrival-times.ts";
import type { FastifyInstance } from "fastify";
import { CodedError } from "#contract/errors.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { CreateOrderBody, CoinOrder } from "#contract/order.ts";
import { openArticles } from "../../../server/content/articles.ts";
import { createEarnings } from "../../../server/earnings/index.ts";
import { createAccounts, lockSignedIn } from "../../../server/accounts/index.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { loadCatalogue, type Catalogue } from "../../../server/catalogue/index.ts";
import type { NetworkReader } from "../../../server/chains/port.ts";
import type { Database } from "../../../server/db/database.ts";
import { createInquiries, createPushSubscriptions } from "../../../server/notifications/index.ts";
import type { OrderService } from "../../../server/orders/port.ts";
import { type PriceSnapshot, type Rates, feeKey } from "../../../server/rates/port.ts";
import { openPrices } from "../../../server/prices/index.ts";
import { createRates } from "../../../server/rates/rate-service.ts";
import { createVerification } from "../../../server/verification/index.ts";
import { accountAreas } from "../../../server/web-areas.ts";
import { documentKey } from "../../../server/verification/sealing.ts";
import { createWebApp, type WebAppParts } from "../../../server/web-app.ts";

export const ETH_USD = 3000n * 10n ** 18n;
export const PUBLIC_URL = "https://wherry.test";
export const BOT_TOKEN = "7:token-of-the-tests";
export const DOCUMENT_KEY = documentKey(Buffer.alloc(32, 7));

/** A snapshot of round prices: ETH 3000 USD, stablecoins 1 USD, a payout costs 0.0001 ETH. */
export function snapshotAt(at: Date, ethUsd: bigint = ETH_USD): PriceSnapshot {
  const slugs = ["usdt-erc20", "usdc-erc20", "dai-erc20"];
  return {
    at,
    prices: new Map([["eth", ethUsd], ...slugs.map((slug): [string, bigint] => [slug, 10n ** 18n])]),
    fees: new Map(["eth", ...slugs].map((slug) => [feeKey("ETH", slug), 10n ** 14n])),
  };
}

/** Price snapshots and a business clock in memory, moved by the test. */
export class TestMarket {
  now = new Date("2026-11-21T12:00:00.000Z");
  stored: PriceSnapshot[] = [];
  isUp = true;
  private readonly listeners = new Set<() => void>();

  constructor() {
    this.publish();
  }

  publish(ethUsd: bigint = ETH_USD): PriceSnapshot {
    const snapshot = snapshotAt(new Date(this.now), ethUsd);
    this.stored.push(snapshot);
    for (const listener of this.listeners) listener();
    return snapshot;
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
  }

  rates(catalogue: Catalogue, available?: (slug: string) => bigint | null): Rates {
    return createRates({
      catalogue,
      clock: { now: () => this.now },
      networks: { isUp: () => this.isUp },
      arrivalTimes: arrivalTimesOf(catalogue),
      priceSnapshots: {
        newest: () => this.stored.at(-1) ?? null,
        at: async (moment) => this.stored.find(({ at }) => at.getTime() === moment.getTime()) ?? null,
        onChange: (listener) => {
          this.listeners.add(listener);
          return () => void this.listeners.delete(listener);
        },
      },
      ...(available && { available }),
    });
  }
}

/** A body that creates an order of ETH to USDT as the first snapshot quotes it. */
export const orderBody = (changes: Partial<CreateOrderBody> = {}): CreateOrderBody => ({
  rateMode: "FLOATING",
  instrumentFrom: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
  instrumentTo: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
  destinationAddress: "0xdestination",
  claimedPublicRate: { price: "2984.7", updatedAt: "2026-11-21T12:00:00.000Z", claimedAmountToReceive: "2984.7" },
  claimedDepositAmount: "1",
  ...changes,
});

/** An order that has just been created. */
export function anOrder(changes: Partial<CoinOrder> = {}): CoinOrder {
  const at = "2026-11-21T12:00:00.000Z";
  const instrument: Instrument = {
    currencyTitle: "ETH",
    networkTitle: "ETH",
    slug: "eth",
    bestChangeName: null,
    coinstatValue: null,
    price: "3000",
    currencyLogoLink: null,
    currencyFriendlyTitle: "Ethereum",
    networkFriendlyTitle: "Ethereum",
    instrumentType: "other",
    requiresMemo: false,
    precisionDecimals: 18,
    contractAddress: null,
    isPopular: true,
    explorerTx: null,
    explorerAddress: null,
    confirmations: 3,
    networkStandard: null,
    payoutFee: null,
    blockSeconds: null,
    payoutSeconds: null,
  };
  return {
    orderId: "A".repeat(22),
    reference: "7KQ4-M2XD",
    status: "CREATION_END",
    rateMode: "FLOATING",
    pair: { instrumentFrom: instrument, instrumentTo: { ...instrument, slug: "usdt-erc20", currencyTitle: "USDT" } },
    destinationAddress: "0xdestination",
    destinationAddressMemo: null,
    refundAddress: null,
    refundAddressMemo: null,
    userEmail: null,
    isEmailConfirmed: true,
    claimedDepositAmount: "1",
    claimedPublicRate: {
      price: "2984.7",
      finalNetworkFeeAmount: "0.3",
      platformFee_Absolute: "15",
      claimedAmountToReceive: "2984.7",
    },
    amountToGet: "2984.7",
    createdAt: at,
    expiresAt: null,
    minConfirmationsToWithdraw: 3,
    depositAddress: "0xdeposit",
    depositAddressMemo: null,
    depositUri: "ethereum:0xdeposit",
    deposits: [],
    withdrawals: [],
    orderEvents: [{ kind: "CREATION_END", at }],
    offer: null,
    attention: null,
    review: null,
    redirectUrl: null,
    card: null,
    estimatedSeconds: null,
    feesTaken: null,
    pricesUsd: null,
    unpaidUntil: null,
    finalPricesUsd: null,
    ...changes,
  };
}

/** An order service that must not be called: each call that is not replaced throws an unknown error. */
export function closedOrderService(open: Partial<OrderService> = {}): OrderService {
  const closed = (name: string) => async (): Promise<never> => {
    throw new Error(`select * from secrets -- the order service was called: ${name}`);
  };
  return {
    create: closed("create"),
    claim: closed("claim"),
    createByCard: closed("createByCard"),
    history: closed("history"),
    historyCsv: closed("historyCsv"),
    info: async () => {
      throw new CodedError("ERR_NOT_FOUND_E", "There is no such order");
    },
    partnerOrder: closed("partnerOrder"),
    partnerOrders: closed("partnerOrders"),
    latest: async () => [],
    stats: closed("stats"),
    pairActivity: closed("pairActivity"),
    askedPairs: closed("askedPairs"),
    setEmail: closed("setEmail"),
    requestRefund: closed("requestRefund"),
    stopRefund: closed("stopRefund"),
    acceptRateModeChange: closed("acceptRateModeChange"),
    state: closed("state"),
    refundInfo: closed("refundInfo"),
    depositTarget: async () => null,
    ...open,
  };
}

/** Every address that begins with 0x is valid on the network ETH. */
export const someNetworks: ReadonlyMap<string, NetworkReader> = new Map([
  [
    "ETH",
    {
      networkTitle: "ETH",
      feeSlug: "eth",
      parseAddress: (text) =>
        text.startsWith("0x")
          ? { valid: true, canonical: text.toLowerCase() }
          : { valid: false, code: "address_reject_iotx" },
      depositAddress: () => ({ address: "0xdeposit", memo: null }),
      depositUri: () => "ethereum:0xdeposit",
      head: async () => ({ height: 1, hash: "0x1", parentHash: "0x0" }),
      blockAt: async () => null,
      estimateFee: async () => 10n ** 14n,
    },
  ],
]);

export type TestApp = FastifyInstance & AsyncDisposable & { market: TestMarket; catalogue: Catalogue; rates: Rates };

/** The real HTTP side over a database of the test, with everything behind it replaceable. */
export async function testApp(
  database: Database,
  changes: Partial<Omit<WebAppParts, "config">> & { config?: Partial<WebAppParts["config"]>; market?: TestMarket } = {},
): Promise<TestApp> {
  const catalogue = changes.catalogue ?? (await loadCatalogue());
  const market = changes.market ?? new TestMarket();
  const rates = changes.rates ?? market.rates(catalogue);
  const clock = { now: () => market.now };
  const verification = createVerification({ database, clock, lockSignedIn, key: DOCUMENT_KEY });
  const app = await createWebApp({
    log: createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" }),
    securityLog: { record: () => true },
    database,
    clock,
    catalogue,
    rates,
    orderService: closedOrderService(),
    accounts: createAccounts({
      database,
      clock,
      bot: { token: BOT_TOKEN },
      realNow: () => market.now,
      areas: accountAreas(verification),
    }),
    earnings: createEarnings({
      database,
      catalogue,
      readers: changes.networks ?? someNetworks,
      rates,
      clock: { now: () => market.now },
      isSandbox: changes.config?.sandbox ?? false,
      publicUrl: PUBLIC_URL,
      miniAppUrl: null,
      onJobs: () => undefined,
      lockSignedIn,
    }),
    verification,
    inquiries: createInquiries({
      database,
      operatorEmail: null,
      onQueued: () => undefined,
      log: createLog({ level: "silent" }),
    }),
    networks: someNetworks,
    health: { status: () => "OK" },
    push: { subscriptions: createPushSubscriptions(database), push: null },
    card: null,
    pages: { find: async () => null },
    articles: openArticles("dist/none", () => market.now),
    prices: openPrices({
      database,
      catalogue,
      clock: { now: () => market.now },
      priceSnapshots: { newest: () => market.stored.at(-1) ?? null },
      isSandbox: false,
    }),
    ...changes,
    config: {
      publicUrl: PUBLIC_URL,
      sandbox: false,
      trustProxy: false,
      rateLimits: { reads: 10_000, writes: 10_000, signIns: 10_000 },
      apiKeyLimits: { reads: 10_000, writes: 10_000 },
      ...changes.config,
    },
  });
  return Object.assign(app, { market, catalogue, rates, [Symbol.asyncDispose]: async () => app.close() });
}
