import type { Earnings, Withdrawer } from "../../../server/earnings/port.ts";
import { lockSignedIn } from "../../../server/accounts/index.ts";
import { createEarnings, creditAccount, payEndedMonths } from "../../../server/earnings/index.ts";
import { referrerIdOf } from "../../../server/earnings/referrers.ts";
import { loadCatalogue, type Catalogue } from "../../../server/catalogue/index.ts";
import type { TransactionProbe } from "../../../server/db/transaction.ts";
import type { Database } from "../../../server/db/database.ts";
import { FakeChain } from "../chains/fake-chain.ts";
import type { CrashPoints } from "./crash-points.ts";
import { timePasses } from "./dying-process.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "./test-engine.ts";

export const USDT = "usdt-trc20";
export const USDT_TRC20 = { currencyTitle: "USDT", networkTitle: "TRX" };
export const ADDRESS = `T${"a".repeat(33)}`;
const HALF_ETH = 5n * 10n ** 17n;

/** Ethereum and TRON in memory, accounts that earn and withdraw, and the business clock. */
export class EarningsScenario {
  readonly chain = new FakeChain();
  readonly tron = new FakeChain("TRX", "trx");
  readonly rates = new StillRates();
  readonly database: Database;
  now = new Date("2026-11-21T12:00:00Z");
  isSandbox = true;
  earningsSlug = USDT;

  constructor(database: Database) {
    this.database = database;
    for (const [slug, price] of [
      [USDT, 1n],
      ["trx", 1n],
    ] as const)
      this.rates.prices.set(slug, price * 10n ** 18n);
  }

  async engine(database = this.database, points: CrashPoints | null = null): Promise<TestEngine> {
    const over = (chain: FakeChain) => ({
      reader: points?.reader(chain) ?? chain,
      wallet: points?.wallet(chain) ?? chain,
    });
    return createTestEngine({
      database,
      catalogue: await loadCatalogue({ confirmations: new Map([[USDT, 3]]) }),
      ...over(this.chain),
      others: [over(this.tron)],
      rates: this.rates,
      now: () => this.now,
      ...(points && { probe: points.probe }),
    });
  }

  async earnings(database = this.database, probe?: TransactionProbe): Promise<Earnings> {
    return createEarnings({
      ...(await this.#parts(database)),
      publicUrl: "https://wherry.test",
      miniAppUrl: "https://t.me/a_bot/app",
      onJobs: () => undefined,
      ...(probe && { probe }),
    });
  }

  /** Pays the months out that have ended; `isAway`: no network answers. */
  async payEndedMonths({ isAway = false } = {}): Promise<void> {
    const parts = await this.#parts(this.database);
    return payEndedMonths(isAway ? { ...parts, readers: new Map() } : parts);
  }

  async #parts(database: Database) {
    const shipped = await loadCatalogue();
    const catalogue: Catalogue = { ...shipped, terms: { ...shipped.terms, earningsSlug: this.earningsSlug } };
    return {
      database,
      catalogue,
      readers: new Map([
        ["TRX", this.tron],
        ["ETH", this.chain],
      ]),
      rates: {
        networkFee: (slug: string) => this.rates.networkFee(slug),
        priceUsd: (slug: string) => this.rates.prices.get(slug) ?? null,
      },
      clock: { now: () => this.now },
      isSandbox: this.isSandbox,
      lockSignedIn,
    };
  }

  /** An account; `referrer` has referred it. */
  async user(referrer: bigint | null = null): Promise<bigint> {
    const made = this.database.kysely.insertInto("users").values({ referrer_user_id: referrer }).returning("id");
    return (await made.executeTakeFirstOrThrow()).id;
  }

  referrerIdOf(userId: bigint): Promise<string> {
    return referrerIdOf(this.database.kysely, userId, this.now);
  }

  /** Puts minor units of what earnings are in into a wallet. */
  async credit(userId: bigint, amount: bigint): Promise<void> {
    await creditAccount(this.database, { userId, slug: this.earningsSlug, amount, at: this.now });
  }

  /** An order of 0.5 ETH whose deposit is in the next block: 1,500 USDT, of which 7.5 are our fee. */
  async paidOrder(
    { engine }: TestEngine,
    made: {
      userId?: bigint;
      referrerId?: string;
      browser?: string;
      destinationAddress?: string;
      refundAddress?: string;
      clientKey?: string;
    },
  ): Promise<string> {
    const { userId, referrerId = null, browser = null } = made;
    // Nobody pays to a wallet of somebody else.
    const { destinationAddress = `destination-${userId ?? "guest"}` } = made;
    const { refundAddress, clientKey = "192.0.2.1" } = made;
    const body = orderBody({
      referrerId,
      browserFingerprint: browser,
      destinationAddress,
      ...(refundAddress !== undefined && { refundAddress }),
    });
    const client = { key: clientKey, traceId: "t", ...(userId !== undefined && { userId }) };
    const order = await engine.orderService.create(body, client);
    this.chain.deposit(order.depositAddress, "eth", HALF_ETH);
    return order.orderId;
  }

  async blocks(testEngine: TestEngine, count: number): Promise<void> {
    for (let mined = 0; mined < count; mined += 1) {
      this.chain.mine();
      this.tron.mine();
      await timePasses(this.database);
      await testEngine.settle();
    }
  }

  /** What has reached an address on TRON. */
  received(address: string): bigint[] {
    return this.tron.received(address.toLowerCase(), USDT);
  }

  balanceOf(userId: bigint): Promise<bigint> {
    return this.#balance(`wallet:${userId}`);
  }

  /** Of one of our own accounts. */
  ownBalance(name: string): Promise<bigint> {
    return this.#balance(name);
  }

  async #balance(name: string): Promise<bigint> {
    const row = await this.database.kysely
      .selectFrom("ledger_accounts")
      .select("balance")
      .where("name", "=", name)
      .where("slug", "=", USDT)
      .executeTakeFirst();
    return row?.balance ?? 0n;
  }
}

/** Who withdraws, from an address of its own. */
export const withdrawer = (userId: bigint, clientKey = "192.0.2.1"): Withdrawer => ({ userId, clientKey });
