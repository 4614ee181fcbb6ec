import { sql } from "kysely";
import type { HeldAt, Lookup } from "../../../server/chains/port.ts";
import type { Database } from "../../../server/db/database.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { SweepingChain } from "../../../tests/support/chains/sweeping-chain.ts";

/** Never reached: the sums are read all the same. */
const APPROVAL = { aboveUsd: 10 ** 9, hourlyUsd: 10 ** 11, networkHourlyUsd: 10 ** 11 };

export const DEPOSIT = 5n * 10n ** 17n;
const CONFIRMING = 10;
const PAYING = 5;
const NEVER = 1_000_000;
export const UNDECIDED_SECONDS = 7 * 86_400;

/** A chain that can stop showing payments as mined: what is active stays active. Its nodes tell balances, so addresses are watched. */
class BenchChain extends SweepingChain {
  isHalted = false;
  /** While true, nobody finds anything at a deposit address. */
  isRobbed = false;

  override async lookup(txId: string): Promise<Lookup> {
    return this.isHalted ? { kind: "pending" } : super.lookup(txId);
  }

  async balancesAt(_blockHash: string, asked: readonly HeldAt[]): Promise<bigint[]> {
    return asked.map(({ address, slug }) => (this.isRobbed ? 0n : this.holds(address, slug)));
  }
}

/** One turn of each loop of the worker, in milliseconds. */
export type TickTimes = { follower: number; orders: number; payouts: number; idle: number };

/** A clock that moves when the benchmark says. */
type BenchClock = { now(): Date; skipMs: number };

export type SteadyEngine = TestEngine & {
  database: Database;
  chain: BenchChain;
  clock: BenchClock;
  /** Mines blocks, and turns every loop after each. */
  mine(blocks: number): Promise<void>;
  /** Leaves so many orders confirming and paying for good. */
  startActive(): Promise<void>;
  /** A new block with a payment to a foreign address, then one turn of each loop over what it woke; the last turn finds nothing. */
  tick(): Promise<TickTimes>;
};

/** The real engine on a real database over a chain in memory, with the same work at every tick. */
export async function steadyEngine(database: Database): Promise<SteadyEngine> {
  const chain = new BenchChain();
  chain.mine(2);
  const clock: BenchClock = { skipMs: 0, now: () => new Date(Date.now() + clock.skipMs) };
  const testEngine = await createTestEngine({
    database,
    reader: chain,
    wallet: chain,
    now: clock.now,
    approval: APPROVAL,
    undecidedSeconds: UNDECIDED_SECONDS,
  });
  await testEngine.settle();

  const mine = async (blocks: number) => {
    for (let mined = 0; mined < blocks; mined += 1) {
      chain.mine();
      await testEngine.settle();
    }
  };
  const payOrders = async (count: number) => {
    for (let made = 0; made < count; made += 1) {
      const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), {
        key: "bench",
        traceId: "bench",
      });
      chain.deposit(depositAddress, "eth", DEPOSIT);
    }
  };

  return {
    ...testEngine,
    database,
    chain,
    clock,
    mine,
    async startActive() {
      chain.isHalted = true;
      await payOrders(PAYING);
      await mine(4);
      await payOrders(CONFIRMING);
      await mine(1);
      await sql`
        update orders set snapshot = jsonb_set(snapshot, '{terms,requiredConfirmations}', ${String(NEVER)}::jsonb)
        where state = 'confirming'`.execute(database.kysely);
      await checkActive(database);
    },
    tick: () => tick(testEngine, chain),
  };
}

async function tick(testEngine: TestEngine, chain: BenchChain): Promise<TickTimes> {
  chain.deposit("foreign", "eth", 1n);
  chain.mine();
  const { engine } = testEngine;
  return {
    follower: await timed(async () => {
      for (const follower of engine.followers.values()) await follower.turn();
    }),
    orders: await timed(engine.runOrders),
    payouts: await timed(() => engine.runPayouts("ETH")),
    idle: await timed(engine.runOrders),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function checkActive(database: Database): Promise<void> {
  const rows = await database.kysely
    .selectFrom("orders")
    .select((build) => ["state", build.fn.countAll<bigint>().as("count")])
    .where("state", "not in", ["completed", "refunded", "expired"])
    .groupBy("state")
    .orderBy("state")
    .execute();
  const found = rows.map(({ state, count }) => `${count} ${state}`).join(", ");
  const meant = `${CONFIRMING} confirming, ${PAYING} paying`;
  if (found !== meant) throw new Error(`the active orders are ${found} instead of ${meant}`);
}
