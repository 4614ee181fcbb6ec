import { loadCatalogue } from "../../../server/catalogue/index.ts";
import { type Database, openDatabase } from "../../../server/db/database.ts";
import type { LiquidityPartner, PartnerStatus } from "../../../server/liquidity/port.ts";
import { offerKey } from "../../../server/rates/quote.ts";
import { listHeld } from "../../../server/treasury/operator/held.ts";
import { FakeChain } from "../chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../database/database.ts";
import { restoreSavedBackup, type SavedRows } from "../database/saved-rows.ts";
import { timePasses } from "./dying-process.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "./test-engine.ts";

const LTC = { currencyTitle: "LTC", networkTitle: "LTC", slug: "ltc" };
const HALF_ETH = 5n * 10n ** 17n;
/** Takes the deposit away, whatever confirmations it had. */
const BEYOND = 6;

type Started = Partial<Parameters<typeof createTestEngine>[0]> & { over?: Database };

/** Orders of 0.5 ETH for LTC, over two chains in memory, and reorganisations that take their deposits away. */
export class LitecoinSwap {
  readonly ether = new FakeChain();
  readonly litecoin = new FakeChain("LTC", "ltc");
  readonly rates = new StillRates();
  /** What its partner says of an exchange. */
  exchange: PartnerStatus = { kind: "waiting" };
  readonly database: TestDatabase;
  #own: Database;
  #engine: TestEngine | null = null;

  private constructor(database: TestDatabase) {
    this.database = database;
    this.#own = this.connect("the worker");
    for (const chain of [this.ether, this.litecoin]) chain.mine(2);
    this.rates.prices.set("ltc", 100n * 10n ** 18n);
    this.rates.fees.set("ltc", 100_000n).set("eth", 10n ** 14n);
  }

  static async open(): Promise<LitecoinSwap> {
    return new LitecoinSwap(await freshDatabase());
  }

  async close(): Promise<void> {
    await this.own.close();
    await this.database.drop();
  }

  /** A connection of another process; the caller closes it. */
  connect(applicationName: string): Database {
    return openDatabase(this.database.url, { max: 4, log: this.database.log, applicationName });
  }

  get own(): Database {
    return this.#own;
  }

  get engine(): TestEngine {
    if (this.#engine === null) throw new Error("the engine was not started");
    return this.#engine;
  }

  async start(parts: Started = {}): Promise<void> {
    this.#engine = await this.another(this.own, parts);
    await this.engine.settle();
  }

  /** As `start`, with a partner that fills every order. */
  startWithPartner(): Promise<void> {
    return this.start(this.withPartner());
  }

  /** Puts the database back to a backup, under a process that has ended. */
  async restore(saved: SavedRows): Promise<void> {
    await this.own.close();
    await restoreSavedBackup(this.database, saved);
    this.#own = this.connect("the worker");
  }

  /** The engine of another process. */
  async another(database: Database, parts: Started = {}): Promise<TestEngine> {
    return createTestEngine({
      database,
      catalogue: await loadCatalogue({ simulatedNetworks: new Set(["LTC"]) }),
      rates: this.rates,
      reader: this.ether,
      wallet: this.ether,
      others: [{ reader: this.litecoin, wallet: this.litecoin }],
      ...parts,
    });
  }

  withPartner(): Started {
    this.rates.provider = "changenow";
    const point = (milli: bigint) => ({ amountFrom: milli * 10n ** 15n, amountTo: milli * 2_990_000n });
    this.rates.partners.set(offerKey("changenow", "eth", "ltc"), [point(10n), point(10_000n)]);
    const partner: LiquidityPartner = {
      code: "changenow",
      quote: async () => [],
      find: async () => ({ kind: "absent" }),
      status: async () => this.exchange,
      addresses: async () => null,
      open: async ({ destination, refund }) => ({
        kind: "opened",
        exchange: {
          partnerId: "x1",
          deposit: { address: "partner", memo: null },
          destination: destination.address,
          refund: refund.address,
          min: null,
          max: null,
          expiresAt: null,
        },
      }),
    };
    return { partners: new Map([["changenow", partner]]) };
  }

  /** An order, and its deposit in the next block; returns the address that it is paid to. */
  async pay(refundAddress?: string): Promise<string> {
    const body = orderBody({
      instrumentTo: LTC,
      destinationAddress: "dest",
      ...(refundAddress !== undefined && { refundAddress }),
    });
    const order = await this.engine.engine.orderService.create(body, { key: "203.0.113.9", traceId: "test" });
    this.ether.deposit(order.depositAddress, "eth", HALF_ETH);
    return order.depositAddress;
  }

  async blocks(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined += 1) {
      this.ether.mine();
      this.litecoin.mine();
      await timePasses(this.own);
      await this.engine.settle();
    }
  }

  /** A reorganisation that takes every deposit away, or brings it into a later block. */
  async loseDeposit(comesBack = false): Promise<void> {
    this.ether.reorg(BEYOND, comesBack);
    await timePasses(this.own);
    await this.engine.settle();
  }

  /** How many payments have reached the customer. */
  get paid(): number {
    return this.litecoin.received("dest", "ltc").length;
  }

  get paidToPartner(): number {
    return this.ether.received("partner", "eth").length;
  }

  async heldPayments(): Promise<string[]> {
    return (await listHeld(this.own)).flatMap(({ subject, reason }) =>
      subject.startsWith("payout") ? [`${subject} ${reason}`] : [],
    );
  }
}
