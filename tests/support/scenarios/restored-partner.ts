import type { Order } from "#contract/order.ts";
import type { Database } from "../../../server/db/database.ts";
import { correctPayment } from "../../../server/orders/processing/correct-payment.ts";
import { runRecoveryCommand } from "../../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../../server/treasury/payouts/unknown-payments.ts";
import type { FakeChain } from "../chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../database/database.ts";
import { restoreSavedBackup, saveRows } from "../database/saved-rows.ts";
import { PartnerScenario, SENT_WEI } from "../partners/partner-scenario.ts";
import { orderBody, type TestEngine } from "./test-engine.ts";

/** Orders that a partner fills, in a server whose database is put back to a backup while chain and partner live on. */
export class RestoredPartner {
  readonly database: TestDatabase;
  readonly scenario: PartnerScenario;
  #process: { own: Database; engine: TestEngine };

  private constructor(
    database: TestDatabase,
    scenario: PartnerScenario,
    process: { own: Database; engine: TestEngine },
  ) {
    this.database = database;
    this.scenario = scenario;
    this.#process = process;
  }

  static async open(chain?: FakeChain): Promise<RestoredPartner> {
    const database = await freshDatabase();
    const scenario = await new PartnerScenario(database, chain).start();
    const process = await started(scenario);
    await process.engine.settle();
    return new RestoredPartner(database, scenario, process);
  }

  async close(): Promise<void> {
    await this.own.close();
    await this.scenario.stop();
    await this.database.drop();
  }

  get own(): Database {
    return this.#process.own;
  }

  get engine(): TestEngine {
    return this.#process.engine;
  }

  /** An order whose deposit is in the next block. */
  async order(destinationAddress = this.scenario.destination): Promise<Order> {
    const body = orderBody({ destinationAddress });
    const order = await this.engine.engine.orderService.create(body, { key: "203.0.113.9", traceId: "test" });
    this.scenario.orderId = order.orderId;
    this.scenario.chain.deposit(order.depositAddress ?? "", "eth", SENT_WEI);
    return order;
  }

  pass(blocks: number): Promise<void> {
    return this.scenario.pass(this.engine, this.own, blocks);
  }

  /** What `since` does is lost but for what the chain and the partners know of it. */
  async restoredAfter(since: () => Promise<unknown>): Promise<void> {
    const saved = await saveRows(this.database.url);
    await since();
    await this.own.close();
    await restoreSavedBackup(this.database, saved);
    this.#process = await started(this.scenario);
    await this.pass(20);
  }

  /** The transaction of the oldest undecided payment. */
  async unknown(): Promise<string> {
    return (await listUnknownPayments(this.own))[0]?.txId ?? "";
  }

  recovery(command: string): Promise<string | null> {
    return runRecoveryCommand(this.own, this.engine.catalogue, command.split(" "), correctPayment);
  }

  async status(orderId = this.scenario.orderId, destination = this.scenario.destination): Promise<string> {
    return (await this.engine.engine.orderService.info(orderId, destination)).status;
  }

  /** What the customer has received. */
  delivered(): bigint[] {
    return this.scenario.chain.received(this.scenario.destination, "usdt-erc20");
  }
}

async function started(scenario: PartnerScenario): Promise<{ own: Database; engine: TestEngine }> {
  const { database, testEngine } = scenario.process();
  const engine = await testEngine;
  engine.rates.fees.set("eth", 10n ** 14n);
  return { own: database, engine };
}
