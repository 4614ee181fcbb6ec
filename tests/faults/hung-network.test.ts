import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startLoop, type Loop } from "../../server/base/concurrency/loop.ts";
import { createLog } from "../../server/base/logging/log.ts";
import type { Handle, NetworkWallet, Payment } from "../../server/chains/port.ts";
import type { JobLimits } from "../../server/db/job-runner.ts";
import { startPaymentLoops } from "../../server/treasury/index.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { eventually, TimeoutError } from "../support/eventually.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { simulatedCatalogue } from "../support/chains/simulated-catalogue.ts";
import { simulatedChain } from "../support/chains/simulated-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const XRP = { currencyTitle: "XRP", networkTitle: "XRP", slug: "xrp" };
const XRP_ADDRESS = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe";
/** Several polls; a hung call is given up only later. */
const USUAL_MS = 5_000;
/** What a rule that was taken away would have been needed for still hasn't come after several polls. */
const IN_VAIN_MS = 4_000;
const log = createLog({ level: "silent" });

/** A chain whose wallet never answers for payments to addresses that begin with "hung". */
class HangingChain extends FakeChain {
  hung = 0;

  override async chooseHandle(payment: Payment, reserved: readonly Handle[]): Promise<Handle> {
    if (!payment.toAddress.startsWith("hung")) return super.chooseHandle(payment, reserved);
    this.hung += 1;
    return new Promise<never>(() => undefined);
  }
}

let database: TestDatabase;
let chain: HangingChain;
let testEngine: TestEngine;
let loops: Loop[];

/** A wallet that knows its address, and whose calls never return, as those of a node that was stopped. */
const hung = (wallet: NetworkWallet): NetworkWallet =>
  new Proxy(wallet, {
    get: (target, name) =>
      name === "networkTitle" || name === "hotAddress" || name === "maxCost"
        ? Reflect.get(target, name)
        : () => new Promise<never>(() => undefined),
  });

/** Two networks: one that answers, and XRP, of which no call returns. */
async function start(jobLimits?: JobLimits): Promise<void> {
  const xrp = await simulatedChain(database, "XRP");
  testEngine = await createTestEngine({
    database,
    reader: chain,
    wallet: chain,
    others: [{ reader: xrp.reader(), wallet: hung(xrp.wallet()) }],
    catalogue: simulatedCatalogue(),
    ...(jobLimits && { jobLimits }),
  });
  testEngine.rates.prices.set("xrp", 10n ** 18n);
  for (const follower of testEngine.engine.followers.values()) while (await follower.turn());
}

beforeEach(async () => {
  database = await freshDatabase();
  chain = new HangingChain();
  chain.mine(2);
  loops = [];
});
afterEach(async () => {
  await Promise.race([Promise.all(loops.map((loop) => loop.stop())), new Promise((done) => setTimeout(done, 500))]);
  await database.drop();
});

/** Orders whose payouts are due, those to hung addresses before the others. */
async function payoutsDue(bodies: ReturnType<typeof orderBody>[]): Promise<void> {
  const { engine } = testEngine;
  for (const body of bodies) {
    const order = await engine.orderService.create(body, { key: "test", traceId: "test" });
    chain.deposit(order.depositAddress, "eth", HALF_ETH);
  }
  for (let block = 0; block < 4; block += 1) {
    chain.mine();
    for (const follower of engine.followers.values()) while (await follower.turn());
    while (await engine.runOrders());
  }
  const first = { next_attempt_at: new Date(0) };
  await database.kysely.updateTable("payouts").set(first).where("to_address", "like", "hung%").execute();
}

const startLoops = () => {
  const { payouts, others } = startPaymentLoops(testEngine.engine, log);
  loops = [payouts, ...others];
};
/** Whether anything is paid on ETH within a time. */
const isPaid = (withinMs: number): Promise<boolean> =>
  eventually("ETH pays", () => (chain.pending.length > 0 ? true : null), withinMs).catch((error: unknown) => {
    if (error instanceof TimeoutError) return false;
    throw error;
  });

describe("a network whose calls never return", () => {
  const both = [
    orderBody({ instrumentTo: XRP, destinationAddress: XRP_ADDRESS, destinationAddressMemo: "1" }),
    orderBody(),
  ];

  it("delays no other network's payouts", async () => {
    await start();
    await payoutsDue(both);
    startLoops();
    expect(await isPaid(USUAL_MS)).toBe(true);
    expect(chain.pending).toHaveLength(1);
  });

  it("would delay them in a loop that all networks share", async () => {
    await start();
    await payoutsDue(both);
    const { engine } = testEngine;
    const oneByOne = async () => {
      for (const network of ["XRP", "ETH"]) await engine.runPayouts(network);
      return true;
    };
    loops = [startLoop("all networks", 100, oneByOne, log)];
    expect(await isPaid(IN_VAIN_MS)).toBe(false);
  });
});

describe("payments whose calls never return", () => {
  const CONCURRENCY = 4;
  const hungOnes = (count: number) =>
    Array.from({ length: count }, (_, n) => orderBody({ destinationAddress: `hung-${n}` }));

  it("delay no other payment of their network: some run at once, and each for a limited time", async () => {
    await start({ concurrency: CONCURRENCY, budgetMs: 1_000 });
    await payoutsDue([...hungOnes(CONCURRENCY), orderBody()]);
    startLoops();
    expect(await isPaid(USUAL_MS)).toBe(true);
    expect(chain.hung).toBeGreaterThan(0);
  });

  it("would delay it if payments ran one by one without a time limit", async () => {
    await start({ concurrency: 1 });
    await payoutsDue([...hungOnes(1), orderBody()]);
    startLoops();
    expect(await isPaid(IN_VAIN_MS)).toBe(false);
    expect(chain.hung).toBe(1);
  });

  it("would delay it once there are as many as run at once, without a time limit", async () => {
    await start({ concurrency: CONCURRENCY });
    await payoutsDue([...hungOnes(CONCURRENCY), orderBody()]);
    startLoops();
    expect(await isPaid(IN_VAIN_MS)).toBe(false);
    expect(chain.hung).toBeGreaterThan(0);
  });
});
