import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../../tests/support/database/database.ts";
import { makeDue } from "../../../../tests/support/database/due-rows.ts";
import { createTestEngine, orderBody } from "../../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../../tests/support/chains/fake-chain.ts";
import type { Lookup } from "../../../chains/port.ts";

/** A chain on which another transaction has spent what our payments spend. */
class RivalChain extends FakeChain {
  replacedAt: { height: number; hash: string } | null = null;

  override async lookup(txId: string): Promise<Lookup> {
    return this.replacedAt === null ? super.lookup(txId) : { kind: "replaced", byTxId: "rival", ...this.replacedAt };
  }
}

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

it("a payment that another transaction has finally replaced goes into review, and is never signed again", async () => {
  const chain = new RivalChain();
  const testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  const blocks = async (count: number) => {
    for (let mined = 0; mined < count; mined += 1) {
      chain.mine();
      await testEngine.settle();
    }
  };
  await testEngine.settle();
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  chain.deposit(order.depositAddress, "eth", 5n * 10n ** 17n);
  await blocks(3);
  chain.replacedAt = { height: chain.tip.height, hash: chain.tip.hash };
  const payout = () =>
    database.kysely.selectFrom("payouts").select(["state", "review_reason"]).executeTakeFirstOrThrow();

  await blocks(1);
  expect(await payout()).toEqual({ state: "broadcast", review_reason: null });
  await blocks(2);
  expect(await payout()).toEqual({ state: "review", review_reason: "replaced_on_chain" });
  expect(await database.kysely.selectFrom("payout_attempts").select("n").execute()).toEqual([{ n: 1 }]);
});

/** A chain on which our payments revert while the switch is on, as a token's transfer does that was frozen in between. */
class RevertingChain extends FakeChain {
  isReverting = false;

  override async lookup(txId: string): Promise<Lookup> {
    const found = await super.lookup(txId);
    return found.kind === "mined" ? { ...found, succeeded: !this.isReverting } : found;
  }
}

it("a payment that was mined, undone and then reverted is never final: it goes into review", async () => {
  const chain = new RevertingChain();
  const testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  const blocks = async (count: number) => {
    for (let mined = 0; mined < count; mined += 1) {
      chain.mine();
      await makeDue(database, "payouts");
      await testEngine.settle();
    }
  };
  const payout = () =>
    database.kysely.selectFrom("payouts").select(["state", "review_reason"]).executeTakeFirstOrThrow();
  await testEngine.settle();
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  chain.deposit(order.depositAddress, "eth", 5n * 10n ** 17n);
  await blocks(4);
  expect(await payout()).toMatchObject({ state: "mined" });
  chain.reorg(1, true);
  chain.isReverting = true;
  await blocks(2);
  // The chain may still come back to the block in which it succeeded.
  expect(await payout()).toMatchObject({ state: "mined" });
  await blocks(3);
  expect(await payout()).toEqual({ state: "review", review_reason: "failed_on_chain" });
  expect(await database.kysely.selectFrom("payout_attempts").select("n").execute()).toEqual([{ n: 1 }]);
});
