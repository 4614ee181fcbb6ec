import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;

let database: TestDatabase;
let swap: FaultySwap;

beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
  await swap.open();
  swap.pay();
});
afterEach(async () => {
  expect(swap.paid()).toEqual([FULL]);
  await swap.expectLawful();
  expect(await database.kysely.selectFrom("payout_attempts").select("n").execute()).toHaveLength(1);
  await database.drop();
});

describe("a broadcast", () => {
  it("that times out but was accepted is looked up by its id, and not built again", async () => {
    swap.chain.broadcastFaults = ["lost-reply"];
    await swap.blocks(3);
    expect(swap.chain.pending).toHaveLength(1);
    await swap.blocks(5);
  });

  it("that times out and was not accepted is broadcast again with the same bytes", async () => {
    swap.chain.broadcastFaults = ["lost-request", "lost-request"];
    await swap.blocks(3);
    const stored = await database.kysely.selectFrom("payout_attempts").select("tx_id").executeTakeFirstOrThrow();
    await swap.blocks(6);
    const mined = swap.chain.blocks.flatMap(({ transactions }) => transactions.map(({ txId }) => txId));
    expect(mined).toContain(stored.tx_id);
  });

  it("of what is already known is a success", async () => {
    await swap.blocks(3);
    const sent = await database.kysely.selectFrom("payout_attempts").select(["raw", "tx_id"]).executeTakeFirstOrThrow();
    expect(await swap.chain.broadcast({ raw: sent.raw, txId: sent.tx_id })).toEqual({ kind: "accepted" });
    // As after a worker that died before it had recorded its broadcast.
    await database.kysely
      .updateTable("payouts")
      .set({ state: "intended", next_attempt_at: new Date(0) })
      .execute();
    await swap.blocks(5);
  });

  it("that the mempool drops is repeated with the same bytes", async () => {
    await swap.blocks(3);
    const [lost] = swap.chain.pending.splice(0);
    await swap.blocks(5);
    const mined = swap.chain.blocks.flatMap(({ transactions }) => transactions.map(({ txId }) => txId));
    expect(mined).toContain(lost?.txId);
  });

  it("that no block takes for hours stays one pending payment", async () => {
    await swap.blocks(3);
    const waiting = swap.chain.pending.splice(0);
    for (let hour = 0; hour < 10; hour += 1) {
      await swap.settle();
      waiting.push(...swap.chain.pending.splice(0));
    }
    expect(new Set(waiting.map(({ txId }) => txId)).size).toBe(1);
    expect((await swap.info()).status).toBe("FUNDS_WITHDRAWAL_START");
    await swap.blocks(5);
  });
});
