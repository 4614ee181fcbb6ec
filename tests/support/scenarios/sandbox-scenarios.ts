import { sql } from "kysely";
import type { Database } from "../../../server/db/database.ts";
import { deriveAddress } from "../../../server/chains/simulated/keys.ts";
import type { SimulatedChain } from "../../../server/chains/simulated/network.ts";
import { chainDatabase } from "../../../server/chains/simulated/tables.ts";
import { violations, type ChainView } from "../checkers/checkers.ts";
import type { CrashPoints } from "./crash-points.ts";
import { runProcess, timePasses } from "./dying-process.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "./test-engine.ts";
import { simulatedCatalogue } from "../chains/simulated-catalogue.ts";
import { simulatedChain } from "../chains/simulated-chain.ts";

/** Fees rise above a stuck payment once it was sent. */
export type ScenarioEnd = "payout" | "refund" | "stuck payout" | "stuck refund";

/** Small, so that the treasury of 1,000 XRP is enough for hundreds of scenarios. */
const SENT_SATOSHI = 500_000n;
const SENT = "0.005";
const MOST_BLOCKS = 30;
/** In percent. */
const USUAL_FEES = 100;
const RISEN_FEES = 400;
const SHARED_XRP = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
const client = { key: "scenario", traceId: "scenario" };

type Order = { id: string; destination: string; tag: string; refundTo: string; isStuck: boolean };

/**
 * Swaps of BTC to XRP over the networks that the sandbox simulates, one after the other in one database, by processes that may die at any
 * point and are restarted. What the customer does is done outside: only the server dies.
 */
export class SandboxScenarios {
  readonly #database: Database;
  readonly #btc: SimulatedChain;
  readonly #xrp: SimulatedChain;
  readonly #calm: TestEngine;
  readonly #orders: Order[] = [];

  private constructor(database: Database, btc: SimulatedChain, xrp: SimulatedChain, calm: TestEngine) {
    this.#database = database;
    this.#btc = btc;
    this.#xrp = xrp;
    this.#calm = calm;
  }

  static async over(database: Database): Promise<SandboxScenarios> {
    const [btc, xrp] = [await simulatedChain(database, "BTC"), await simulatedChain(database, "XRP")];
    const scenarios = new SandboxScenarios(database, btc, xrp, await createScenarioEngine(database, btc, xrp, null));
    await scenarios.#calm.settle();
    // Payouts are smaller than the reserve, so their account must be there already.
    await xrp.controls.pay({ address: SHARED_XRP, memo: null, slug: "xrp", amount: 1_000_000n });
    await scenarios.#mine();
    await scenarios.#calm.settle();
    return scenarios;
  }

  /** Runs one order to its end; its first process dies at that point. Returns where it died, null when it had fewer points. */
  async live(points: CrashPoints, end: ScenarioEnd): Promise<string | null> {
    const order = await this.#begin(end);
    const died = await this.#run(order, points);
    if (died !== null) await this.#run(order, null);
    return died;
  }

  /** The laws that these scenarios broke. */
  async violations(): Promise<string[]> {
    const found = await violations(this.#database, this.#view(), 2);
    const { rows } = await sql<{ id: string; state: string }>`
      select o.id, o.state from orders o left join payouts p on p.order_id = o.id and p.state = 'final'
      where p.id is null or o.state not in ('completed', 'refunded')`.execute(this.#database.kysely);
    return [...found, ...rows.map(({ id, state }) => `order ${id} ended at ${state}`)];
  }

  /** How many payments were replaced. */
  async replacements(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from payouts where replacements > 0`.execute(this.#database.kysely);
    return rows[0]?.count ?? 0;
  }

  async #begin(end: ScenarioEnd): Promise<Order> {
    const n = this.#orders.length + 1;
    const refundTo = deriveAddress("BTC", "owners", `${n}`);
    const body = orderBody({
      rateMode: "FIXED",
      instrumentFrom: { currencyTitle: "BTC", networkTitle: "BTC", slug: "btc" },
      instrumentTo: { currencyTitle: "XRP", networkTitle: "XRP", slug: "xrp" },
      destinationAddress: SHARED_XRP,
      destinationAddressMemo: `${n}`,
      refundAddress: refundTo,
      claimedDepositAmount: SENT,
    });
    const { orderService } = this.#calm.engine;
    const { orderId, destinationAddress, depositAddress } = await orderService.create(body, {
      ...client,
      key: `scenario ${n}`,
    });
    const isStuck = end.startsWith("stuck");
    const order = { id: orderId, destination: destinationAddress, tag: `${n}`, refundTo, isStuck };
    for (const { controls } of [this.#btc, this.#xrp]) await controls.setFees(USUAL_FEES);
    this.#orders.push(order);
    await this.#btc.controls.pay({ address: depositAddress, memo: null, slug: "btc", amount: SENT_SATOSHI });
    if (end.endsWith("payout")) return order;
    await this.#mine();
    await this.#calm.settle();
    const quoted = await orderService.refundInfo(orderId);
    await orderService.requestRefund({
      orderId,
      destinationAddress,
      refundAddress: refundTo,
      refundAmount: quoted.refundAmountWithoutNetworkFee,
      claimedNetworkFee: quoted.networkFee,
    });
    return order;
  }

  #run(order: Order, points: CrashPoints | null): Promise<string | null> {
    return runProcess(this.#database, points, async (database) =>
      this.#untilFinal(order, await createScenarioEngine(database, this.#btc, this.#xrp, points)),
    );
  }

  async #untilFinal(order: Order, testEngine: TestEngine): Promise<void> {
    for (let block = 0; block < MOST_BLOCKS; block += 1) {
      await timePasses(this.#database, { replacements: true });
      await testEngine.settle();
      const payout = await this.#database.kysely
        .selectFrom("payouts")
        .select("state")
        .where("order_id", "=", order.id)
        .executeTakeFirst();
      if (payout?.state === "final") return;
      if (order.isStuck && payout?.state === "broadcast")
        for (const { controls } of [this.#btc, this.#xrp]) await controls.setFees(RISEN_FEES);
      await this.#mine();
    }
    throw new Error("the scenario did not end");
  }

  async #mine(): Promise<void> {
    await this.#btc.controls.mine(1);
    await this.#xrp.controls.mine(1);
  }

  #view(): ChainView {
    const arrived = (network: string, address: string, memo: string | null) =>
      chainDatabase(this.#database)
        .selectFrom("sandbox_outputs")
        .innerJoin("sandbox_transactions", (join) =>
          join
            .onRef("sandbox_outputs.network", "=", "sandbox_transactions.network")
            .onRef("sandbox_outputs.tx_id", "=", "sandbox_transactions.tx_id"),
        )
        .select("amount")
        .where("sandbox_outputs.network", "=", network)
        .where("address", "=", address)
        .where("memo", "is not distinct from", memo)
        .where("block_height", "is not", null)
        .execute();
    return {
      delivered: async (orderId) => {
        const order = this.#orders.find(({ id }) => id === orderId);
        if (order === undefined) return [];
        const rows = [
          ...(await arrived("XRP", order.destination, order.tag)),
          ...(await arrived("BTC", order.refundTo, null)),
        ];
        return rows.map(({ amount }) => amount);
      },
      isDeep: async (txId, confirmations) => {
        const found = await this.#btc.node.lookup(txId);
        const head = await this.#btc.node.head();
        return found.kind === "mined" && head.height - found.height + 1 >= confirmations;
      },
    };
  }
}

async function createScenarioEngine(
  database: Database,
  btc: SimulatedChain,
  xrp: SimulatedChain,
  points: CrashPoints | null,
): Promise<TestEngine> {
  const rates = new StillRates();
  rates.prices.set("btc", 100n * 10n ** 18n).set("xrp", 10n ** 18n);
  rates.fees.set("btc", 2_000n).set("xrp", 12n);
  const over = (chain: SimulatedChain) => {
    const [reader, wallet] = [chain.reader(), chain.wallet()];
    return points === null ? { reader, wallet } : { reader: points.reader(reader), wallet: points.wallet(wallet) };
  };
  return createTestEngine({
    database,
    ...over(btc),
    others: [over(xrp)],
    rates,
    catalogue: simulatedCatalogue(),
    ...(points ? { probe: points.probe } : {}),
  });
}
