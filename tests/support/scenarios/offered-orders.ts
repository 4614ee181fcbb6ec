import type { CreateOrderBody, Order } from "#contract/order.ts";
import { loadCatalogue } from "../../../server/catalogue/index.ts";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import { correctPayment } from "../../../server/orders/processing/correct-payment.ts";
import { runUndecidedCommand } from "../../../server/orders/undecided/operator.ts";
import { runRecoveryCommand } from "../../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../../server/treasury/payouts/unknown-payments.ts";
import { FakeChain } from "../chains/fake-chain.ts";
import type { TestDatabase } from "../database/database.ts";
import { restoreSavedBackup, saveRows } from "../database/saved-rows.ts";
import { timePasses } from "./dying-process.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "./test-engine.ts";

export const REFUND = "0x52908400098527886E0F7030069857D2E4169EE7";
const HOUR_MS = 3_600_000;
const LTC = { currencyTitle: "LTC", networkTitle: "LTC", slug: "ltc" };

/** Orders of Ether for Litecoin, of which some have a new rate to accept, and a database that is restored from an older backup. */
export class OfferedOrders {
  readonly ether = new FakeChain();
  readonly litecoin: FakeChain;
  now = new Date();
  /** When deposits are refunded automatically that wait for their customer; null: never. */
  autoRefundSeconds: number | null = null;
  readonly #database: TestDatabase;
  #own: Database | null = null;
  #engine: TestEngine | null = null;

  constructor(database: TestDatabase, litecoin = new FakeChain("LTC", "ltc")) {
    this.#database = database;
    this.litecoin = litecoin;
    const parse = this.ether.parseAddress.bind(this.ether);
    this.ether.parseAddress = (text) => (text === REFUND ? { valid: true, canonical: text } : parse(text));
    for (const chain of [this.ether, litecoin]) chain.mine(2);
  }

  get own(): Database {
    if (this.#own === null) throw new Error("it is not started");
    return this.#own;
  }

  get engine(): TestEngine {
    if (this.#engine === null) throw new Error("it is not started");
    return this.#engine;
  }

  async start(): Promise<this> {
    const rates = new StillRates();
    rates.prices.set("ltc", 100n * 10n ** 18n);
    rates.fees.set("ltc", 100_000n).set("eth", 10n ** 14n);
    const { url, log } = this.#database;
    this.#own = openDatabase(url, { max: 4, log, applicationName: "the worker" });
    this.#engine = await createTestEngine({
      database: this.#own,
      catalogue: await loadCatalogue({ simulatedNetworks: new Set(["LTC"]) }),
      rates,
      reader: this.ether,
      wallet: this.ether,
      others: [{ reader: this.litecoin, wallet: this.litecoin }],
      now: () => this.now,
      ...(this.autoRefundSeconds !== null && { autoRefundSeconds: this.autoRefundSeconds }),
    });
    await this.#engine.settle();
    return this;
  }

  async stop(): Promise<void> {
    await this.own.close();
  }

  async blocks(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined += 1) {
      for (const chain of [this.ether, this.litecoin]) chain.mine();
      await timePasses(this.own);
      await this.engine.settle();
    }
  }

  /** An order of a floating rate, paid. */
  async floating(destinationAddress: string, wei: bigint): Promise<Order> {
    const body = orderBody({ instrumentTo: LTC, destinationAddress });
    const order = await this.engine.engine.orderService.create(body, { key: "d", traceId: "test" });
    this.ether.deposit(order.depositAddress ?? "", "eth", wei);
    return order;
  }

  /** A late deposit of a fixed order: its customer has a new rate to accept. */
  async offered(destinationAddress = "destination"): Promise<Order> {
    const body: CreateOrderBody = orderBody({
      instrumentTo: LTC,
      destinationAddress,
      rateMode: "FIXED",
      claimedPublicRate: { price: "29.83", updatedAt: this.now.toISOString(), claimedAmountToReceive: "14.9" },
      refundAddress: REFUND,
    });
    const order = await this.engine.engine.orderService.create(body, { key: "c", traceId: "test" });
    this.now = new Date(this.now.getTime() + HOUR_MS);
    this.ether.deposit(order.depositAddress ?? "", "eth", 5n * 10n ** 17n);
    await this.blocks(5);
    return order;
  }

  accept({ orderId }: Order, destinationAddress = "destination"): Promise<Order> {
    return this.engine.engine.orderService.acceptRateModeChange({ orderId, destinationAddress });
  }

  /**
   * What `since` does after the backup is lost but for what the chains show of it; two hours later, the offers have ended. `changed` changes the
   * restored rows before anything reads them.
   */
  async restoredAfter(since: () => Promise<void>, changed = async (): Promise<unknown> => undefined): Promise<void> {
    const saved = await saveRows(this.#database.url);
    await since();
    await this.stop();
    await restoreSavedBackup(this.#database, saved);
    await changed();
    this.now = new Date(this.now.getTime() + 2 * HOUR_MS);
    await this.start();
    await this.blocks(10);
  }

  paid(destination = "destination"): bigint[] {
    return this.litecoin.received(destination, "ltc");
  }

  async status({ orderId }: Order, destination = "destination"): Promise<string> {
    return (await this.engine.engine.orderService.info(orderId, destination)).status;
  }

  /** The transaction of the only undecided payment. */
  async unknown(): Promise<string> {
    const [one] = await listUnknownPayments(this.own);
    return one?.txId ?? "";
  }

  order(command: string): Promise<string | null> {
    const parts = { database: this.own, catalogue: this.engine.catalogue, isRegtest: true };
    return runUndecidedCommand(parts, `order ${command}`.split(" "));
  }

  recovery(command: string): Promise<string | null> {
    return runRecoveryCommand(this.own, this.engine.catalogue, command.split(" "), correctPayment);
  }
}
