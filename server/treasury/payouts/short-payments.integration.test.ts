import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { createLog } from "../../base/logging/log.ts";
import { treasuryMetrics } from "../metrics.ts";
import { runHeldCommand } from "../operator/held-commands.ts";

const HALF_ETH = 5n * 10n ** 17n;
const FEE = 1_000_000n;
const REFUND_ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let lines: string[];
let orderId: string;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
  lines = [];
  const log = createLog({ level: "warn", destination: { write: (line: string) => void lines.push(line) } });
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, log });
  await testEngine.settle();
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  orderId = order.orderId;
  chain.balances.set("usdt-erc20", 1_000_000_000n);
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await blocks(5);
});
afterEach(() => database.drop());

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await testEngine.settle();
  }
}
/** Two minutes go by. */
const wait = async () => {
  await database.pool.query("update payouts set short_since = short_since - interval '121 seconds'");
  await blocks(1);
};
const say = (text: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));
const info = () => testEngine.engine.orderService.info(orderId, "destination");
const metric = async () => {
  const read = treasuryMetrics(database).find(({ name }) => name === "payments_stuck");
  return read?.read();
};

it("a payout for which the hot wallet has too little is listed once a top-up could have come, and pays by itself", async () => {
  expect(await say("held")).toBe("nothing is held");
  expect((await info()).review).toBeNull();
  await wait();
  expect(await say("held")).toMatch(
    /^payout 1 {2}not_enough_funds {2}for 0 min {2}\(not signed yet: the payout of 1491\.5 usdt-erc20, order/,
  );
  expect((await info()).review).toMatchObject({ reason: "PAYMENT_CHECK", needed: "OPERATOR" });
  expect(await metric()).toEqual([{ labels: { network: "ETH", reason: "not_enough_funds" }, value: 1 }]);
  await blocks(5);
  expect(lines.filter((line) => line.includes("has too little"))).toHaveLength(1);
  expect(lines.filter((line) => line.includes("a payment waits and is not signed yet"))).toHaveLength(1);

  chain.balances.set("usdt-erc20", 10_000_000_000n);
  await blocks(5);
  expect((await info()).status).toBe("WITHDRAWAL_COMPLETED");
  expect(await say("held")).toBe("nothing is held");
  expect(chain.received("destination", "usdt-erc20")).toEqual([1_491_500_000n]);
});

it("it is refunded instead by a command, and never paid as well", async () => {
  await expect(say(`payout refund 1 no coins --as ann --to ${REFUND_ADDRESS}`)).rejects.toThrow("is intended");
  await wait();
  await say(`payout refund 1 no coins --as ann --to ${REFUND_ADDRESS}`);
  // Before a worker has refunded it there is enough again.
  chain.balances.set("usdt-erc20", 10_000_000_000n);
  await makeDue(database, "payouts");
  for (const network of testEngine.engine.paymentNetworks) await testEngine.engine.runPayouts(network);
  await blocks(6);
  expect((await info()).status).toBe("REFUND_COMPLETED");
  expect(chain.received(REFUND_ADDRESS, "eth")).toEqual([HALF_ETH - FEE]);
  expect(chain.received("destination", "usdt-erc20")).toEqual([]);
  expect(await say("held")).toBe("nothing is held");
});

it("it is tried at once by a command, and no refund follows what has its nonce", async () => {
  await wait();
  chain.balances.set("usdt-erc20", 10_000_000_000n);
  await say("payout retry 1 topped up --as ann");
  for (const network of testEngine.engine.paymentNetworks) await testEngine.engine.runPayouts(network);
  await expect(say(`payout refund 1 too late --as ann --to ${REFUND_ADDRESS}`)).rejects.toThrow("not in review");
  await blocks(4);
  expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
});
