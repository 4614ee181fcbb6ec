import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import {
  createTestEngine,
  orderBody,
  runPayouts,
  type TestEngine,
} from "../../../tests/support/scenarios/test-engine.ts";
import { createLog } from "../../base/logging/log.ts";
import { TooManyPendingError, type Handle, type Payment } from "../../chains/port.ts";
import { treasuryMetrics } from "../metrics.ts";
import { runHeldCommand } from "../operator/held-commands.ts";

const HALF_ETH = 5n * 10n ** 17n;
const MAX_PENDING = 8;
const DUE = 40;

vi.setConfig({ testTimeout: 60_000 });

/** Its hot wallet lets eight payments wait for a block; it counts what it is asked before each signature. */
class NarrowChain extends FakeChain {
  asked = 0;

  override async hotBalance(slug: string): Promise<bigint> {
    this.asked += 1;
    return super.hotBalance(slug);
  }

  override async chooseHandle(payment: Payment, reserved: readonly Handle[]): Promise<Handle> {
    this.asked += 1;
    const handle = await super.chooseHandle(payment, reserved);
    const used = (await this.noncesUsed("hot", this.tip.height))?.used ?? 0;
    if (Number(handle.data["nonce"]) - used >= MAX_PENDING) throw new TooManyPendingError("eight wait for a block");
    return handle;
  }
}

let database: TestDatabase;
let chain: NarrowChain;
let testEngine: TestEngine;
let lines: string[];

beforeEach(async () => {
  database = await freshDatabase();
  chain = new NarrowChain();
  chain.mine(2);
  lines = [];
  const log = createLog({ level: "warn", destination: { write: (line: string) => void lines.push(line) } });
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, log });
  await testEngine.settle();
});
afterEach(() => database.drop());

async function order(): Promise<void> {
  const client = { key: "test", traceId: "test" };
  const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
  chain.deposit(depositAddress, "eth", HALF_ETH);
}

async function orders(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await order();
}

async function block(): Promise<void> {
  chain.mine();
  await testEngine.settle();
}

const payouts = () =>
  database.kysely
    .selectFrom("payouts as p")
    .leftJoin("payout_handles as h", "h.payout_id", "p.id")
    .select(["p.id", "p.state", "p.queued_at", "h.key"])
    .orderBy("p.id")
    .execute();
const queued = async () => (await payouts()).filter(({ queued_at }) => queued_at !== null).length;
const nonces = async () => (await payouts()).map(({ key }) => Number(key?.split(":")[1]));
const held = () => runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, ["held"]);
const metrics = async () => {
  const wanted = treasuryMetrics(database).filter(({ name }) => name.startsWith("payments_queued"));
  return Promise.all(wanted.map(async ({ read }) => read()));
};
/** Blocks until the first payouts are sent; more can't be. */
async function untilFull(): Promise<void> {
  for (let blocks = 0; (await queued()) === 0 && blocks < 20; blocks += 1) await block();
}

it("asks the node for none of those that wait for a block, says so once, and pays them by age as blocks come", async () => {
  await orders(DUE);
  await untilFull();
  expect(await queued()).toBe(DUE - MAX_PENDING);
  const asked = chain.asked;
  for (let pause = 0; pause < 5; pause += 1) {
    // The pause in which a missed block would be noticed is over each time.
    await makeDue(database, "payouts");
    await testEngine.settle();
  }
  // One of all asks, each time.
  expect(chain.asked - asked).toBeLessThanOrEqual(5 * 2);
  expect(lines.filter((line) => line.includes("wait")).length).toBe(1);
  expect(await held()).toMatch(
    /^network ETH {2}as many of its payments as may wait for a block {2}for 0 min {2}\(32 more are queued, the oldest first\)$/,
  );
  expect(await metrics()).toEqual([
    [{ labels: { network: "ETH" }, value: DUE - MAX_PENDING }],
    [{ labels: { network: "ETH" }, value: expect.any(Number) }],
  ]);

  for (let blocks = 0; (await queued()) > 0 && blocks < 20; blocks += 1) {
    const before = await queued();
    await block();
    expect(await queued()).toBe(Math.max(0, before - MAX_PENDING));
  }
  await block();
  expect(await nonces()).toEqual(Array.from({ length: DUE }, (_, at) => at));
  expect(chain.received("destination", "usdt-erc20")).toHaveLength(DUE);
  expect(await held()).toBe("nothing is held");
  expect(await metrics()).toEqual([[], []]);
});

it("lets no payment that comes due while they wait take a place before them", async () => {
  await orders(MAX_PENDING + 2);
  await untilFull();
  const last = (await payouts()).at(-1)?.id;
  await database.pool.query("update payouts set queued_at = null, next_attempt_at = now() where id = $1", [last]);
  // There is room again, and no follower has read that block yet.
  chain.mine();
  const asked = chain.asked;
  await runPayouts(testEngine.engine);
  expect([await queued(), chain.asked]).toEqual([2, asked]);
  await testEngine.settle();
  expect(await nonces()).toEqual(Array.from({ length: MAX_PENDING + 2 }, (_, at) => at));
});

it("lets nothing wait behind one that waits for something else by now", async () => {
  await orders(MAX_PENDING + 2);
  await untilFull();
  expect(await queued()).toBe(2);
  chain.balances.set("usdt-erc20", 0n);
  await block();
  expect(await queued()).toBe(0);
  expect(await held()).toBe("nothing is held");
});

it("signs what has its place already, as after a crash, also beside older ones", async () => {
  await orders(MAX_PENDING + 2);
  await untilFull();
  const ids = (await payouts()).map(({ id }) => id);
  const [placed, last] = [ids[MAX_PENDING - 1], ids.at(-1)];
  chain.pending.splice(MAX_PENDING - 1, 1);
  await database.pool.query("delete from payout_attempts where payout_id = $1", [placed]);
  await database.pool.query("update payout_handles set payout_id = $2 where payout_id = $1", [placed, last]);
  await database.pool.query("update payouts set state = 'intended', queued_at = now() where id = $1", [placed]);
  await database.pool.query("update payouts set queued_at = null, next_attempt_at = now() where id = $1", [last]);
  await runPayouts(testEngine.engine);
  expect((await payouts()).at(-1)).toMatchObject({ state: "broadcast", queued_at: null });
});
