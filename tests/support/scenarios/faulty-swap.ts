import { expect } from "vitest";
import type { CoinOrder, CreateOrderBody, Order } from "#contract/order.ts";
import type { Database } from "../../../server/db/database.ts";
import { violations } from "../checkers/checkers.ts";
import { timePasses } from "./dying-process.ts";
import { createTestEngine, orderBody, type TestEngine } from "./test-engine.ts";
import { FakeChain } from "../chains/fake-chain.ts";

export const HALF_ETH = 5n * 10n ** 17n;
const CONFIRMATIONS = 3;
const client = { key: "test", traceId: "test" };

/** One swap of 0.5 ETH to USDT over a chain in memory and a real database, for tests that let one thing go wrong. */
export class FaultySwap {
  readonly chain: FakeChain;
  readonly testEngine: TestEngine;
  readonly #database: Database;
  #order: CoinOrder | null = null;

  private constructor(database: Database, chain: FakeChain, testEngine: TestEngine) {
    this.#database = database;
    this.chain = chain;
    this.testEngine = testEngine;
  }

  static async over(
    database: Database,
    parts: Partial<Parameters<typeof createTestEngine>[0]> = {},
  ): Promise<FaultySwap> {
    const chain = new FakeChain();
    chain.mine(2);
    const testEngine = await createTestEngine({ database, reader: chain, wallet: chain, ...parts });
    await testEngine.settle();
    return new FaultySwap(database, chain, testEngine);
  }

  get order(): CoinOrder {
    if (this.#order === null) throw new Error("no order was made");
    return this.#order;
  }

  async open(body: Partial<CreateOrderBody> = {}): Promise<CoinOrder> {
    this.#order = await this.testEngine.engine.orderService.create(orderBody(body), client);
    return this.#order;
  }

  /** Pays the order's deposit; returns its transaction. */
  pay(): string {
    return this.chain.deposit(this.order.depositAddress, "eth", HALF_ETH);
  }

  async blocks(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined += 1) {
      this.chain.mine();
      await timePasses(this.#database);
      await this.testEngine.settle();
    }
  }

  async settle(): Promise<void> {
    await timePasses(this.#database);
    await this.testEngine.settle();
  }

  info(): Promise<Order> {
    return this.testEngine.engine.orderService.info(this.order.orderId, "destination");
  }

  /** No block has taken a payment for long enough to replace it. */
  async waitInVain(): Promise<void> {
    await this.#database.kysely
      .updateTable("payouts")
      .set({ replace_at: new Date(0) })
      .where("replace_at", "is not", null)
      .execute();
    await this.blocks(1);
  }

  /** What reached the customer: at the destination and at the refund address. */
  paid(): bigint[] {
    return [...this.chain.received("destination", "usdt-erc20"), ...this.chain.received("refund", "eth")];
  }

  /** No law of money is broken. */
  async expectLawful(): Promise<void> {
    const { orderId } = this.order;
    const view = {
      delivered: async (id: string) => (id === orderId ? this.paid() : []),
      isDeep: async (txId: string, confirmations: number) => {
        const found = await this.chain.lookup(txId);
        return found.kind === "mined" && this.chain.tip.height - found.height + 1 >= confirmations;
      },
    };
    expect(await violations(this.#database, view, CONFIRMATIONS)).toEqual([]);
  }
}
