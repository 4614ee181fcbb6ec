import { sql } from "kysely";
import type { CoinOrder } from "#contract/order.ts";
import { loadCatalogue, type Catalogue } from "../../../server/catalogue/index.ts";
import type { NetworkReader, NetworkWallet } from "../../../server/chains/port.ts";
import type { Database } from "../../../server/db/database.ts";
import { violations } from "../../support/checkers/checkers.ts";
import type { CrashPoints } from "../../support/scenarios/crash-points.ts";
import { runProcess, timePasses } from "../../support/scenarios/dying-process.ts";
import { FakeChain } from "../../support/chains/fake-chain.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "../../support/scenarios/test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const CONFIRMATIONS = 2;
const PRICE = 100n * 10n ** 18n;

/** A network with a real node, on which payments get stuck. */
export type StuckNetwork = {
  instrument: { currencyTitle: string; networkTitle: string; slug: string };
  /** What the customer is charged for a payment, in minor units. */
  fee: bigint;
  reader(): NetworkReader;
  /** Ready to pay. */
  wallet(): Promise<NetworkWallet>;
  mine(): Promise<void>;
  height(): Promise<number>;
  newAddress(): Promise<string>;
  received(address: string): Promise<bigint[]>;
};

/** A swap of 0.5 ETH, on a chain in memory, to a coin on a real node where the payment is stuck. */
export class StuckSwap {
  readonly #network: StuckNetwork;
  readonly #database: Database;
  readonly #ether = new FakeChain();
  #testEngine: TestEngine | null = null;
  #order: CoinOrder | null = null;

  constructor(network: StuckNetwork, database: Database) {
    this.#network = network;
    this.#database = database;
    this.#ether.mine(2);
  }

  /** Until the payment is sent and so many blocks have left it out. */
  async begin({ blocks = 1 } = {}): Promise<void> {
    const testEngine = (this.#testEngine = await this.#engine(this.#database, null));
    await testEngine.settle();
    const destinationAddress = await this.#network.newAddress();
    const instrumentTo = this.#network.instrument;
    const client = { key: "test", traceId: "test" };
    this.#order = await testEngine.engine.orderService.create(orderBody({ instrumentTo, destinationAddress }), client);
    this.#ether.deposit(this.#order.depositAddress, "eth", HALF_ETH);
    for (let block = 0; block < 3; block += 1) {
      this.#ether.mine();
      await this.turn();
    }
    await this.blocks(blocks);
  }

  /** Everything that is due runs; what waits for a time is due, except for what replaces a payment. */
  async turn(testEngine = this.#testEngine): Promise<void> {
    await timePasses(this.#database);
    await testEngine?.settle();
  }

  async blocks(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined += 1) {
      await this.#network.mine();
      await this.turn();
    }
  }

  /** No block has taken the payment for long enough. */
  async waitInVain(testEngine = this.#testEngine): Promise<void> {
    await timePasses(this.#database, { replacements: true });
    await testEngine?.settle();
  }

  /** Goes on in another process until the payment is final, or until that process dies; returns where it died. */
  live(points: CrashPoints): Promise<string | null> {
    return runProcess(this.#database, points, async (database) => {
      const testEngine = await this.#engine(database, points);
      await this.waitInVain(testEngine);
      for (let block = 0; block < 8 && (await this.payout()).state !== "final"; block += 1) {
        await this.#network.mine();
        await this.turn(testEngine);
      }
    });
  }

  get catalogue(): Catalogue {
    if (this.#testEngine === null) throw new Error("no order was made");
    return this.#testEngine.catalogue;
  }

  async payout() {
    return this.#database.kysely
      .selectFrom("payouts")
      .select(["id", "state", "replacements", "stuck_reason", "amount"])
      .executeTakeFirstOrThrow();
  }

  async attempts() {
    const columns = ["n", "tx_id as txId", "raw", "status", "max_cost as maxCost"] as const;
    return this.#database.kysely.selectFrom("payout_attempts").select(columns).orderBy("n").execute();
  }

  async children() {
    const columns = ["n", "tx_id as txId", "raw", "status", "pays_for as paysFor", "max_cost as maxCost"] as const;
    return this.#database.kysely.selectFrom("payout_children").select(columns).orderBy("n").execute();
  }

  /** The network fees that the ledger has booked, by the kind of the transfer. */
  async fees(): Promise<{ kind: string; amount: bigint }[]> {
    const { rows } = await sql<{ kind: string; amount: bigint }>`
      select t.kind, e.amount from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
      join ledger_accounts a on a.id = e.account_id
      where a.name = 'hot' and a.slug = ${this.#network.instrument.slug} and t.kind in ('network_fee', 'child_fee') order by t.id`.execute(
      this.#database.kysely,
    );
    return rows;
  }

  /** The transaction that the order shows to its customer. */
  async shownTxId(): Promise<string | null | undefined> {
    if (this.#order === null || this.#testEngine === null) throw new Error("no order was made");
    const { orderId, destinationAddress } = this.#order;
    return (await this.#testEngine.engine.orderService.info(orderId, destinationAddress)).withdrawals[0]?.txId;
  }

  /** What is wrong once it is over: the customer was paid once, nothing is reserved any more and no law is broken. */
  async violations(): Promise<string[]> {
    const order = this.#order;
    if (order === null) throw new Error("no order was made");
    const amounts = await this.#network.received(order.destinationAddress);
    const wallet = await this.#network.wallet();
    const view = {
      delivered: async (id: string) => (id === order.orderId ? amounts : []),
      isDeep: async (txId: string, confirmations: number, network: string) => {
        const found = await (network === "ETH" ? this.#ether : wallet).lookup(txId);
        const height = network === "ETH" ? this.#ether.tip.height : await this.#network.height();
        return found.kind === "mined" && height - found.height + 1 >= confirmations;
      },
    };
    const { state, amount } = await this.payout();
    const reserved = await this.#database.kysely
      .selectFrom("payout_handles")
      .select("key")
      .where("released_at", "is", null)
      .execute();
    const unknown = await this.#database.kysely.selectFrom("unknown_payments").select("tx_id").execute();
    return [
      ...(await violations(this.#database, view, CONFIRMATIONS)),
      ...(amounts.join() === `${amount}` ? [] : [`the customer got ${amounts.join()} of ${amount}`]),
      ...(state === "final" ? [] : [`the payment is ${state}`]),
      ...reserved.map(({ key }) => `${key} is still reserved`),
      ...unknown.map(({ tx_id }) => `${tx_id} is an unknown payment`),
    ];
  }

  async #engine(database: Database, points: CrashPoints | null): Promise<TestEngine> {
    const { instrument, fee } = this.#network;
    const { slug, networkTitle } = instrument;
    const [reader, wallet] = [this.#network.reader(), await this.#network.wallet()];
    const rates = new StillRates();
    rates.prices.set(slug, PRICE);
    rates.fees.set(slug, fee);
    const catalogue = await loadCatalogue({
      simulatedNetworks: new Set([networkTitle]),
      confirmations: new Map([
        ["eth", CONFIRMATIONS],
        [slug, CONFIRMATIONS],
      ]),
    });
    return createTestEngine({
      database,
      catalogue,
      rates,
      reader: this.#ether,
      wallet: this.#ether,
      others: [{ reader: points?.reader(reader) ?? reader, wallet: points?.wallet(wallet) ?? wallet }],
      ...(points && { probe: points.probe }),
    });
  }
}
