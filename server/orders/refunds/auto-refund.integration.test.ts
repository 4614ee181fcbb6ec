import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, kindsOf, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";

const HOUR = 3_600;
const HALF_ETH = 5n * 10n ** 17n;
const client = { key: "c", traceId: "t" };
let database: TestDatabase;
let chain: FakeChain;
let passed = 0;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  passed = 0;
});
afterEach(() => database.drop());

const waitingTestEngine = (autoRefundSeconds?: number) =>
  createTestEngine({
    database,
    reader: chain,
    wallet: chain,
    now: () => new Date(Date.now() + passed * 1000),
    ...(autoRefundSeconds === undefined ? {} : { autoRefundSeconds }),
  });
const mine = async (testEngine: TestEngine, blocks = 1) => {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
/** A fixed order of 0.5 ETH that got half of it: the customer has to choose. */
const underpaid = async (testEngine: TestEngine) => {
  await testEngine.settle();
  const order = await testEngine.engine.orderService.create(
    orderBody({ rateMode: "FIXED", refundAddress: "refund" }),
    client,
  );
  chain.deposit(order.depositAddress, "eth", HALF_ETH / 2n);
  await mine(testEngine, 4);
  return order.orderId;
};
const kinds = async (testEngine: TestEngine, orderId: string) =>
  kindsOf(await testEngine.engine.orderService.info(orderId, "destination"));

it("a deposit is refunded to the order's refund address once its time to choose has passed, and not before", async () => {
  const testEngine = await waitingTestEngine(HOUR);
  const orderId = await underpaid(testEngine);
  passed = HOUR - 60;
  await mine(testEngine);
  expect((await kinds(testEngine, orderId)).at(-1)).toBe("RATE_MODE_CHANGED");
  passed = HOUR + 60;
  await mine(testEngine, 3);
  expect((await kinds(testEngine, orderId)).slice(-2)).toEqual(["REFUND_REQUESTED", "REFUND_COMPLETED"]);
  expect(chain.received("refund", "eth")).toEqual([HALF_ETH / 2n - testEngine.rates.fee]);
});

it("the order becomes due at the deadline, without a new block", async () => {
  const testEngine = await waitingTestEngine(HOUR);
  const orderId = await underpaid(testEngine);
  const row = await database.kysely
    .selectFrom("orders")
    .select("next_attempt_at")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  const seconds = ((row.next_attempt_at?.getTime() ?? 0) - Date.now()) / 1000;
  expect(seconds).toBeGreaterThan(HOUR - 120);
  expect(seconds).toBeLessThanOrEqual(HOUR);
});

it("a top-up restarts the wait", async () => {
  const testEngine = await waitingTestEngine(HOUR);
  const orderId = await underpaid(testEngine);
  const { depositAddress } = await testEngine.engine.orderService.info(orderId, "destination");
  passed = HOUR - 60;
  chain.deposit(depositAddress ?? "", "eth", HALF_ETH / 4n);
  await mine(testEngine, 4);
  passed = HOUR + 60;
  await mine(testEngine, 2);
  expect(await kinds(testEngine, orderId)).not.toContain("REFUND_REQUESTED");
});

it("nothing is refunded automatically where no deadline is configured", async () => {
  const testEngine = await waitingTestEngine();
  const orderId = await underpaid(testEngine);
  passed = 1000 * HOUR;
  await mine(testEngine, 3);
  expect(await kinds(testEngine, orderId)).not.toContain("REFUND_REQUESTED");
});

it("a floating order without a refund address keeps waiting", async () => {
  const testEngine = await waitingTestEngine(HOUR);
  await testEngine.settle();
  const order = await testEngine.engine.orderService.create(orderBody(), client);
  chain.deposit(order.depositAddress, "eth", 1n);
  await mine(testEngine, 4);
  passed = 2 * HOUR;
  await mine(testEngine, 2);
  expect(await kinds(testEngine, order.orderId)).not.toContain("REFUND_REQUESTED");
  expect(await kinds(testEngine, order.orderId)).toContain("INCOMING_FUNDS_DETECTED");
});
