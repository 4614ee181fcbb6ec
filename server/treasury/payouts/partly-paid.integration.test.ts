import { afterEach, beforeEach, expect, it } from "vitest";
import { violations } from "../../../tests/support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import type { Lookup } from "../../chains/port.ts";
import { runHeldCommand } from "../operator/held-commands.ts";

const HALF_ETH = 5n * 10n ** 17n;
const FULL = 1_491_500_000n;
const ARRIVED = 1_490_008_500n;
const REFUND_ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

/** A token of it that takes a fee: the event of a payment shows less than was asked, though all of it has left. */
class FeeTakingChain extends FakeChain {
  moved = { spent: FULL, arrived: ARRIVED };

  override async lookup(txId: string): Promise<Lookup> {
    const found = await super.lookup(txId);
    return found.kind === "mined" ? { ...found, succeeded: false, moved: this.moved } : found;
  }
}

let database: TestDatabase;
let chain: FeeTakingChain;
let testEngine: TestEngine;
let orderId: string;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FeeTakingChain();
  chain.mine(2);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  await testEngine.settle();
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  orderId = order.orderId;
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await blocks(4);
});
afterEach(async () => {
  // The chain below keeps no fee: once it is accepted, the order says what arrived.
  const { rows } = await database.pool.query("select from payouts where state = 'final'");
  const arrived = rows.length === 0 ? FULL : chain.moved.arrived;
  const delivered = async () => chain.received("destination", "usdt-erc20").map(() => arrived);
  const view = { delivered, isDeep: async () => true };
  expect(await violations(database, view, 3)).toEqual([]);
  await database.drop();
});

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await testEngine.settle();
  }
}
const say = (text: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));
const balance = async (name: string) => {
  const { rows } = await database.pool.query<{ balance: bigint }>(
    "select balance from ledger_accounts where name = $1 and slug = 'usdt-erc20'",
    [name],
  );
  return rows[0]?.balance ?? 0n;
};

it("a payment whose token took a fee is never paid again or refunded, and what has left is booked", async () => {
  expect(await say("held")).toMatch(/^payout 1 {2}paid_in_part /);
  await expect(say("payout retry 1 again --as ann")).rejects.toThrow("may still reach the chain");
  await blocks(5);
  expect(await say("held")).toMatch(/1490\.0085 of 1491\.5 arrived in block \d+, and 1491\.5 has left/);
  for (const command of ["retry", "release", "refund"]) {
    const to = command === "refund" ? ` --to ${REFUND_ADDRESS}` : "";
    await expect(say(`payout ${command} 1 again --as ann${to}`)).rejects.toThrow("has moved coins already");
  }
  await blocks(3);
  expect(chain.received("destination", "usdt-erc20")).toEqual([FULL]);
  expect(chain.received(REFUND_ADDRESS, "eth")).toEqual([]);
  expect(await balance("hot")).toBe(FULL);
  expect(await balance("customers")).toBe(0n);
  expect(await testEngine.engine.orderService.info(orderId, "destination")).toMatchObject({
    status: "FUNDS_WITHDRAWAL_START",
    review: { reason: "PAYMENT_CHECK" },
  });
});

it("it is ended with what arrived by a command", async () => {
  await expect(say("payout accept 1 checked --as ann")).rejects.toThrow("moved nothing that is final");
  await blocks(5);
  await say("payout accept 1 checked --as ann");
  await testEngine.settle();
  expect(await testEngine.engine.orderService.info(orderId, "destination")).toMatchObject({
    status: "WITHDRAWAL_COMPLETED",
    withdrawals: [{ amount: "1490.0085" }],
  });
  expect(await say("held")).toBe("nothing is held");
  await expect(say("payout accept 1 again --as ann")).rejects.toThrow("is final, not in review");
});

it("what was due beyond what has left stays due until the payment is ended", async () => {
  chain.moved = { spent: ARRIVED, arrived: ARRIVED };
  await blocks(5);
  expect(await balance("hot")).toBe(ARRIVED);
  expect(await balance("customers")).toBe(FULL - ARRIVED);
  await say("payout accept 1 checked --as ann");
  await testEngine.settle();
  expect(await balance("customers")).toBe(0n);
});

it("what has left beyond what was due is our loss", async () => {
  chain.moved = { spent: FULL + 5n, arrived: ARRIVED };
  await blocks(5);
  expect(await balance("hot")).toBe(FULL + 5n);
  expect(await balance("customers")).toBe(0n);
});
