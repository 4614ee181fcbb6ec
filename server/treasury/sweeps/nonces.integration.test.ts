import { afterEach, beforeEach, expect, it } from "vitest";
import { listHeld } from "../operator/held.ts";
import { runHeldCommand } from "../operator/held-commands.ts";
import { sweepViolations } from "../../../tests/support/checkers/sweep-checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { SWEEP_COST, SweepingChain } from "../../../tests/support/chains/sweeping-chain.ts";

const HALF_ETH = 5n * 10n ** 17n;

let database: TestDatabase;
let chain: SweepingChain;
let testEngine: TestEngine;
let address: string;

/** An order was paid out, and its deposit lies at its address. */
beforeEach(async () => {
  database = await freshDatabase();
  chain = new SweepingChain();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  await testEngine.settle();
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  address = order.depositAddress;
  chain.deposit(address, "eth", HALF_ETH);
  await blocks(8);
  await testEngine.engine.planSweeps();
});
afterEach(() => database.drop());

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    await makeDue(database, "sweeps", "payouts");
    await database.pool.query("update payouts set resend_at = 'epoch' where resend_at is not null");
    while (await testEngine.engine.runSweeps("ETH"));
    chain.mine();
    await testEngine.settle();
  }
}
/** The time after which a payment that no block takes is led on has passed. */
async function waitInVain(): Promise<void> {
  await database.pool.query("update payouts set replace_at = 'epoch' where replace_at is not null");
  await blocks(1);
}
const sweep = () =>
  database.kysely
    .selectFrom("payouts")
    .select(["id", "state", "stuck_reason", "review_reason"])
    .where("purpose", "=", "sweep")
    .executeTakeFirstOrThrow();
const broken = () =>
  sweepViolations(database, {
    holds: async (of, slug) => chain.holds(of, slug),
    arrived: async (slug) => chain.received("hot", slug),
  });

it("a gap below the nonce of a sweep is filled by its own address, and the sweep arrives once", async () => {
  Object.assign(chain, { inventedNonces: 1, inventsInBlocks: true });
  await blocks(2);
  chain.inventedNonces = 0;
  await blocks(2);
  expect(chain.received("hot", "eth")).toEqual([]);
  await waitInVain();
  expect(await sweep()).toMatchObject({ state: "broadcast", stuck_reason: "nonce_gap" });
  await blocks(8);
  expect(await sweep()).toMatchObject({ state: "final", stuck_reason: null });
  expect(chain.received("hot", "eth")).toEqual([HALF_ETH - SWEEP_COST]);
  expect(chain.holds(address, "eth")).toBe(SWEEP_COST - 42n);
  expect(await broken()).toEqual([]);
});

it("the nonce of a sweep that its node refuses is given on by its own address, and the sweep is made again", async () => {
  chain.refuses = true;
  await blocks(14);
  expect(await sweep()).toMatchObject({ state: "review", review_reason: "broadcast_refused" });
  await blocks(8);
  chain.refuses = false;
  const { id } = await sweep();
  const parts = { database, catalogue: testEngine.catalogue, isRegtest: true };
  await runHeldCommand(parts, `payout retry ${id} the node was wrong --as ann`.split(" "));
  await blocks(8);
  expect(await sweep()).toMatchObject({ state: "final" });
  expect(chain.received("hot", "eth")).toHaveLength(1);
  expect(await listHeld(database)).toEqual([]);
  expect(await broken()).toEqual([]);
});
