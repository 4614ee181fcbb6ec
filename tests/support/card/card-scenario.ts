import { createCardRates } from "../../../server/card/card-rates.ts";
import { createMercuryo } from "../../../server/card/mercuryo/mercuryo.ts";
import type { CardProvider } from "../../../server/card/port.ts";
import { loadCatalogue, requireInstrument, toInstrument, type Catalogue } from "../../../server/catalogue/index.ts";
import { createLog, type Log } from "../../../server/base/logging/log.ts";
import type { Database } from "../../../server/db/database.ts";
import type { TransactionProbe } from "../../../server/db/transaction.ts";
import type { CreateOrderBody, Order } from "#contract/order.ts";
import { FakeChain } from "../chains/fake-chain.ts";
import { StillRates, createTestEngine, type TestEngine } from "../scenarios/test-engine.ts";
import type { CrashPoints } from "../scenarios/crash-points.ts";
import { callbackOf, MercuryoServer, type Transaction } from "./mercuryo-server.ts";

export const EMAIL = "buyer@example.com";
const SCALE = 10n ** 18n;

/** An account, a local Mercuryo, and the engine between them. */
export class CardScenario {
  readonly server = new MercuryoServer();
  readonly database: Database;
  readonly rates = new StillRates();
  now = new Date("2026-11-21T12:00:00.000Z");
  userId = 0n;
  /** Of the engines that are made after it is set. */
  unpaidOrdersPerClient: number | undefined;
  provider!: CardProvider;
  catalogue!: Catalogue;
  log: Log = createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });

  constructor(database: Database) {
    this.database = database;
    this.rates.prices.set("usd", SCALE).set("ltc", 100n * SCALE);
  }

  async start(): Promise<this> {
    await this.server.start();
    this.catalogue = await loadCatalogue({ simulatedNetworks: new Set(["LTC"]) });
    this.provider = createMercuryo(this.server.options());
    this.userId = await this.addUser(EMAIL);
    return this;
  }

  async addUser(email: string): Promise<bigint> {
    const { id } = await this.database.kysely
      .insertInto("users")
      .values({ email, created_at: this.now })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  cardRates(provider: CardProvider = this.provider) {
    return createCardRates({
      provider,
      catalogue: this.catalogue,
      rates: { instrument: (slug) => this.#instrument(slug), priceUsd: (slug) => this.rates.prices.get(slug) ?? null },
      clock: { now: () => this.now },
      noKycThreshold: "150",
      questionsPerMinute: 120,
      isStopped: () => false,
    });
  }

  #instrument(slug: string) {
    const now = {
      price: this.rates.prices.get(slug) ?? null,
      payoutFee: null,
      blockSeconds: null,
      payoutSeconds: null,
    };
    return toInstrument(requireInstrument(this.catalogue, slug), now);
  }

  /** A process; with points, one that can die, over connections of its own. */
  engine(points: CrashPoints | null = null, database: Database = this.database): Promise<TestEngine> {
    const provider = points === null ? this.provider : points.card(this.provider);
    const chain = new FakeChain("LTC", "ltc");
    const probe: { probe?: TransactionProbe } = points === null ? {} : { probe: points.probe };
    return createTestEngine({
      database,
      reader: chain,
      wallet: chain,
      catalogue: this.catalogue,
      rates: this.rates,
      now: () => this.now,
      log: this.log,
      ...probe,
      ...(this.unpaidOrdersPerClient !== undefined && { unpaidOrdersPerClient: this.unpaidOrdersPerClient }),
      card: {
        provider,
        rates: this.cardRates(),
        publicUrl: "https://wherry.example",
        miniAppUrl: "https://t.me/wherry_bot/app",
        priceUsd: (slug) => this.rates.prices.get(slug) ?? null,
        askSeconds: 60,
      },
    });
  }

  body(direction: "buy" | "sell" = "buy", changes: Partial<CreateOrderBody> = {}): CreateOrderBody {
    const usd = { currencyTitle: "USD", networkTitle: "USD", slug: "usd" };
    const ltc = { currencyTitle: "LTC", networkTitle: "LTC", slug: "ltc" };
    const updatedAt = this.now.toISOString();
    const rate = (price: string, claimedAmountToReceive: string) => ({ price, claimedAmountToReceive, updatedAt });
    return {
      rateMode: "FLOATING",
      ...(direction === "buy"
        ? {
            instrumentFrom: usd,
            instrumentTo: ltc,
            destinationAddress: "destination",
            claimedDepositAmount: "100",
            claimedPublicRate: rate("0.0096", "0.96"),
          }
        : {
            instrumentFrom: ltc,
            instrumentTo: usd,
            destinationAddress: null,
            claimedDepositAmount: "1",
            claimedPublicRate: rate("96", "96"),
          }),
      ...changes,
    };
  }

  create(
    { engine }: TestEngine,
    body: CreateOrderBody,
    changes?: { seed: string; isFirst: boolean } | { key: string; network?: string },
  ): Promise<Order> {
    const client = { key: "192.0.2.1", traceId: "t", userId: this.userId, email: EMAIL, ...changes };
    return engine.orderService.createByCard(body, client);
  }

  /** The transaction that the order was opened with. */
  transactionOf({ card }: Order): Transaction {
    const found = this.server.transactions.find(({ id }) => id === card?.reference);
    if (found === undefined) throw new Error("the provider knows no such order");
    return found;
  }

  /** Calls back with how the transaction stands. */
  async callBack(
    { engine }: TestEngine,
    transaction: Transaction,
    changes: Record<string, unknown> = {},
  ): Promise<void> {
    const { body, signature } = callbackOf(transaction, changes);
    await engine.cardOrders?.takeCallback(body, signature);
  }

  async ask({ engine }: TestEngine): Promise<void> {
    await this.database.kysely
      .updateTable("card_orders")
      .set({ next_attempt_at: new Date(0) })
      .where("next_attempt_at", "is not", null)
      .execute();
    await engine.runCardOrders();
  }

  info({ engine }: TestEngine, { orderId, destinationAddress }: Order): Promise<Order> {
    return engine.orderService.info(orderId, destinationAddress);
  }
}

/** What a purchase's transaction becomes, step by step. */
export const BUY_STEPS: readonly Partial<Transaction>[] = [
  { type: "buy", status: "paid" },
  { type: "withdraw", status: "pending" },
  { type: "withdraw", status: "completed", txId: "tx of the provider" },
];

/** Of a sale: the coins came, were sold, and the money was paid to the card. */
const SELL_STEPS: readonly Partial<Transaction>[] = [
  { type: "deposit", status: "succeeded", txId: "tx of the customer" },
  { type: "sell", status: "pending" },
  { type: "sell", status: "succeeded" },
];

export const CARD_STEPS = { buy: BUY_STEPS, sell: SELL_STEPS } as const;
