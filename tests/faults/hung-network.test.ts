import { afterEach, beforeEach, expect, it } from "vitest";
import type { Loop } from "../../server/base/concurrency/loop.ts";
import { createLog } from "../../server/base/logging/log.ts";
import type { NetworkWallet } from "../../server/chains/port.ts";
import { startPaymentLoops } from "../../server/treasury/index.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { eventually } from "../support/eventually.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { simulatedCatalogue } from "../support/chains/simulated-catalogue.ts";
import { simulatedChain } from "../support/chains/simulated-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const XRP = { currencyTitle: "XRP", networkTitle: "XRP", slug: "xrp" };
const XRP_ADDRESS = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe";
/** Several polls; a hung call is given up only later. */
const USUAL_MS = 5_000;
const log = createLog({ level: "silent" });

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let loops: Loop[] = [];

/** A wallet that knows its address, and whose calls never return, as those of a node that was stopped. */
const hung = (wallet: NetworkWallet): NetworkWallet =>
  new Proxy(wallet, {
    get: (target, name) =>
      name === "networkTitle" || name === "hotAddress" || name === "maxCost"
        ? Reflect.get(target, name)
        : () => new Promise<never>(() => undefined),
  });

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
  const xrp = await simulatedChain(database, "XRP");
  const others = [{ reader: xrp.reader(), wallet: hung(xrp.wallet()) }];
  testEngine = await createTestEngine({
    database,
    reader: chain,
    wallet: chain,
    others,
    catalogue: simulatedCatalogue(),
  });
  testEngine.rates.prices.set("xrp", 10n ** 18n);
  for (const follower of testEngine.engine.followers.values()) while (await follower.turn());
});
afterEach(async () => {
  await Promise.race([Promise.all(loops.map((loop) => loop.stop())), new Promise((done) => setTimeout(done, 500))]);
  await database.drop();
});

it("a network whose calls never return holds up no other network's payouts", async () => {
  const { engine } = testEngine;
  const bodies = [
    orderBody({ instrumentTo: XRP, destinationAddress: XRP_ADDRESS, destinationAddressMemo: "1" }),
    orderBody(),
  ];
  for (const body of bodies) {
    const order = await engine.orderService.create(body, { key: "test", traceId: "test" });
    chain.deposit(order.depositAddress, "eth", HALF_ETH);
  }
  for (let block = 0; block < 4; block += 1) {
    chain.mine();
    for (const follower of engine.followers.values()) while (await follower.turn());
    while (await engine.runOrders());
  }
  const { payouts, others } = startPaymentLoops(engine, log);
  loops = [payouts, ...others];
  await eventually("ETH pays", () => (chain.pending.length > 0 ? true : null), USUAL_MS);
  expect(chain.pending).toHaveLength(1);
});
