import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap, HALF_ETH } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;
const START = new Date("2030-01-01T00:00:00Z");

let database: TestDatabase;
let swap: FaultySwap;
let now: Date;

beforeEach(async () => {
  now = START;
  database = await freshDatabase();
  swap = await FaultySwap.over(database, { now: () => now });
  await swap.open();
});
afterEach(async () => {
  await swap.expectLawful();
  await database.drop();
});

const columns = ["tx_id", "in_mempool", "block_height", "detected_at", "credited_at"] as const;
const deposits = () => database.kysely.selectFrom("deposits").select(columns).orderBy("id").execute();
const watch = () => swap.testEngine.engine.mempoolWatches.get("ETH")?.turn();
const follow = async () => {
  for (const follower of swap.testEngine.engine.followers.values()) while (await follower.turn());
};
const dueAt = async () =>
  (await database.kysely.selectFrom("orders").select("next_attempt_at").executeTakeFirstOrThrow()).next_attempt_at;
const rest = () => sql`update orders set next_attempt_at = null`.execute(database.kysely);
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

describe("a payment in the mempool", () => {
  it("is stored before any block, and makes its order due", async () => {
    await rest();
    const txId = swap.pay();
    await watch();
    expect(await deposits()).toEqual([
      { tx_id: txId, in_mempool: true, block_height: null, detected_at: START, credited_at: null },
    ]);
    expect(await dueAt()).not.toBeNull();
  });

  it("keeps the time when it was seen, and its row, once it is mined", async () => {
    const txId = swap.pay();
    await watch();
    pass(3_600);
    await swap.blocks(1);
    const mined = { tx_id: txId, in_mempool: false, block_height: swap.chain.tip.height, detected_at: START };
    expect(await deposits()).toMatchObject([mined]);
    await swap.blocks(4);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("that is in a block stays observed until the block is read", async () => {
    swap.pay();
    await watch();
    swap.chain.mine();
    await watch();
    expect(await deposits()).toMatchObject([{ in_mempool: true, block_height: null }]);
    await follow();
    await watch();
    expect(await deposits()).toMatchObject([{ in_mempool: false, block_height: swap.chain.tip.height }]);
  });

  it("is compared with nothing while there is none, also behind the node's head", async () => {
    swap.chain.mine();
    await watch();
    const askedForHead = vi.spyOn(swap.chain, "head");
    await watch();
    expect(askedForHead).not.toHaveBeenCalled();
  });

  it("that is seen again changes nothing and wakes nobody", async () => {
    swap.pay();
    await watch();
    await rest();
    pass(60);
    await watch();
    expect(await dueAt()).toBeNull();
    expect(await deposits()).toMatchObject([{ in_mempool: true, detected_at: START }]);
  });

  it("that was evicted is in no mempool any more, wakes its order, and may come back", async () => {
    swap.pay();
    await watch();
    const evicted = swap.chain.pending.splice(0);
    await rest();
    await watch();
    expect(await deposits()).toMatchObject([{ in_mempool: false, block_height: null }]);
    expect(await dueAt()).not.toBeNull();
    await swap.blocks(5);
    expect(swap.paid()).toEqual([]);
    swap.chain.pending.push(...evicted);
    pass(60);
    await watch();
    expect(await deposits()).toMatchObject([{ in_mempool: true, detected_at: START }]);
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("that is replaced by another is gone, and the other one is there", async () => {
    const first = swap.pay();
    await watch();
    swap.chain.evict(first);
    const second = swap.pay();
    await watch();
    expect(await deposits()).toMatchObject([
      { tx_id: first, in_mempool: false },
      { tx_id: second, in_mempool: true },
    ]);
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("returns to it with a reorganisation", async () => {
    swap.pay();
    await watch();
    await swap.blocks(2);
    expect(await deposits()).toMatchObject([{ in_mempool: false, block_height: expect.any(Number) }]);
    swap.chain.reorg(2, true);
    await follow();
    expect(await deposits()).toMatchObject([{ in_mempool: false, block_height: null }]);
    await watch();
    expect(await deposits()).toMatchObject([{ in_mempool: true, block_height: null }]);
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("is stored only where it arrives at an address of ours, and however many there are", async () => {
    for (let made = 0; made < 2_500; made += 1) swap.chain.deposit("somebody", "eth", 1n);
    const txId = swap.pay();
    await watch();
    expect(await deposits()).toMatchObject([{ tx_id: txId }]);
  });

  it("is not unmarked by a mempool that was read before its block", async () => {
    const txId = swap.pay();
    const before = await swap.chain.mempool();
    swap.chain.mine();
    await follow();
    swap.chain.mempool = async () => before;
    await watch();
    expect(await deposits()).toMatchObject([{ tx_id: txId, in_mempool: false, block_height: swap.chain.tip.height }]);
  });
});

describe("a node whose mempool", () => {
  it.each(["fails", "hangs", "shows nothing"] as const)("%s delays no block", async (fault) => {
    swap.chain.mempoolFault = fault;
    swap.pay();
    const turn = watch();
    const ended = turn?.then(
      () => "ended",
      (error: unknown) => String(error),
    );
    for (let mined = 0; mined < 4; mined += 1) {
      swap.chain.mine();
      await follow();
    }
    expect(await deposits()).toMatchObject([{ in_mempool: false, block_height: 3 }]);
    if (fault === "fails") expect(await ended).toContain("can't be read");
    swap.chain.mempoolFault = null;
    await swap.blocks(2);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("stutters loses no deposit", async () => {
    swap.pay();
    for (const fault of [null, "shows nothing", null, "shows nothing"] as const) {
      swap.chain.mempoolFault = fault;
      await watch();
      expect(await deposits()).toMatchObject([{ in_mempool: fault === null, detected_at: START }]);
    }
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL]);
  });
});

describe("a credit", () => {
  const credit = () => sql`update deposits set credited_at = now()`.execute(database.kysely);

  it("never comes from the mempool: the database refuses it", async () => {
    swap.chain.deposit(swap.order.depositAddress, "eth", HALF_ETH);
    await watch();
    await expect(credit()).rejects.toThrow("is in no block");
    await swap.settle();
    expect(await deposits()).toMatchObject([{ credited_at: null }]);
  });

  it("would come from it without that rule", async () => {
    swap.pay();
    await watch();
    await sql`drop trigger deposits_credited_in_a_block on deposits`.execute(database.kysely);
    await credit();
    const violation = expect.stringContaining("credited without its depth");
    await expect(swap.expectLawful()).rejects.toMatchObject({ actual: [violation] });
    await sql`update deposits set credited_at = null`.execute(database.kysely);
  });
});
