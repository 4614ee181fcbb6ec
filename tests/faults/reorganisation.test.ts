import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { kindsOf } from "../support/scenarios/test-engine.ts";
import { FaultySwap, HALF_ETH } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;
const BEYOND = 5;

let database: TestDatabase;
let swap: FaultySwap;

beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
  await swap.open();
});
afterEach(async () => {
  await swap.expectLawful();
  await database.drop();
});

const held = () =>
  database.kysely.selectFrom("deposits").select("review_reason").where("review_reason", "is not", null).execute();
const stopped = () => database.kysely.selectFrom("kill_switches").select(["action", "scope", "direction"]).execute();
const release = () => swap.testEngine.switches.release({ action: "pay", scope: "ETH", direction: "both" });

describe("a reorganisation below the confirmations", () => {
  it("removes a deposit from the page and pays nothing for it, until the chain shows it again", async () => {
    swap.pay();
    await swap.blocks(2);
    swap.chain.reorg(2, true);
    await swap.settle();
    expect((await swap.info()).deposits).toEqual([]);
    expect(swap.paid()).toEqual([]);
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL]);
    expect(await stopped()).toEqual([]);
  });

  it("of a deposit that never returns pays nothing, and reports no wrong status", async () => {
    swap.pay();
    await swap.blocks(2);
    swap.chain.reorg(2);
    await swap.blocks(6);
    expect(swap.paid()).toEqual([]);
    expect(kindsOf(await swap.info())).not.toContain("FUNDS_WITHDRAWAL_START");
  });

  it("of a payout sends the same bytes again and doubles nothing", async () => {
    swap.pay();
    await swap.blocks(4);
    expect(swap.paid()).toEqual([FULL]);
    swap.chain.reorg(1);
    await swap.settle();
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL]);
    const attempts = await database.kysely.selectFrom("payout_attempts").select("n").execute();
    expect(attempts).toHaveLength(1);
  });
});

describe("a reorganisation beyond the confirmations", () => {
  it("keeps an unsigned payment waiting for its deposit, puts the deposit into review and stops the network", async () => {
    swap.chain.balances.set("usdt-erc20", 0n);
    swap.pay();
    await swap.blocks(3);
    expect((await swap.info()).status).toBe("FUNDS_WITHDRAWAL_START");
    swap.chain.reorg(BEYOND, true);
    swap.chain.balances.delete("usdt-erc20");
    await swap.settle();
    expect(await held()).toEqual([{ review_reason: "gone_after_credit" }]);
    expect(await stopped()).toEqual([{ action: "pay", scope: "ETH", direction: "both" }]);
    await swap.blocks(2);
    expect(await stopped()).toHaveLength(1);
    expect(swap.paid()).toEqual([]);
    await swap.blocks(3);
    expect(swap.paid()).toEqual([FULL]);
    expect([await held(), await stopped()]).toEqual([[], []]);
  });

  it("leaves a stop alone that an operator or the reconciler has set before or since", async () => {
    const stop = { action: "pay", scope: "ETH", direction: "both" } as const;
    swap.pay();
    await swap.blocks(4);
    swap.chain.reorg(BEYOND, true);
    await swap.settle();
    await swap.testEngine.switches.stop({ ...stop, reason: "under maintenance" });
    await swap.blocks(6);
    expect(await held()).toEqual([]);
    expect(await stopped()).toEqual([stop]);
    swap.chain.reorg(BEYOND + 5, true);
    await swap.blocks(12);
    expect(await stopped()).toEqual([stop]);
  });

  it("stays stopped while one of two credited deposits is missing", async () => {
    const [, lost] = [1n, 2n].map(() => swap.chain.deposit(swap.order.depositAddress, "eth", HALF_ETH / 2n));
    await swap.blocks(4);
    swap.chain.reorg(BEYOND, true);
    const at = swap.chain.pending.findIndex(({ txId }) => txId === lost);
    const [second] = swap.chain.pending.splice(at, 1);
    await swap.settle();
    await swap.blocks(6);
    expect(await held()).toHaveLength(1);
    expect(await stopped()).toHaveLength(1);
    if (second) swap.chain.pending.push(second);
    await swap.blocks(2);
    expect(await stopped()).toHaveLength(1);
    await swap.blocks(1);
    expect(await stopped()).toEqual([]);
  });

  it("never signs for a deposit that does not come back", async () => {
    swap.chain.balances.set("usdt-erc20", 0n);
    swap.pay();
    await swap.blocks(3);
    swap.chain.reorg(BEYOND);
    swap.chain.balances.delete("usdt-erc20");
    await swap.settle();
    await release();
    await swap.blocks(8);
    expect(swap.paid()).toEqual([]);
    const payouts = await database.kysely.selectFrom("payouts").select(["state", "review_reason"]).execute();
    expect(payouts).toEqual([{ state: "review", review_reason: "deposit_gone" }]);
  });

  it("after the payment was sent reports the loss and stops the network, and pays nothing twice", async () => {
    swap.pay();
    await swap.blocks(3);
    swap.chain.reorg(BEYOND);
    await swap.settle();
    expect(await held()).toEqual([{ review_reason: "gone_after_credit" }]);
    expect(await stopped()).toHaveLength(1);
    await swap.blocks(6);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("of a payment that was final sends the same bytes again, under the same nonce", async () => {
    swap.pay();
    await swap.blocks(7);
    const isFinal = () => database.kysely.selectFrom("payouts").select("state").executeTakeFirstOrThrow();
    expect(await isFinal()).toEqual({ state: "final" });
    swap.chain.reorg(4);
    await swap.settle();
    expect(swap.paid()).toEqual([]);
    expect(await isFinal()).toEqual({ state: "mined" });
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL]);
    expect(await isFinal()).toEqual({ state: "final" });
    const attempts = await database.kysely.selectFrom("payout_attempts").select("n").execute();
    expect(attempts).toHaveLength(1);
  });
});

it("a node that only lags undoes nothing", async () => {
  swap.pay();
  await swap.blocks(3);
  const before = swap.chain.blocks;
  swap.chain.blocks = before.slice(0, -3);
  await swap.settle();
  expect((await swap.info()).deposits).toMatchObject([{ confirmations: 3 }]);
  expect(await held()).toEqual([]);
  swap.chain.blocks = before;
  await swap.blocks(4);
  expect(swap.paid()).toEqual([FULL]);
});

it("another chain below all stored blocks stops payments and is not read, until the node is back on ours", async () => {
  swap.chain.balances.set("usdt-erc20", 0n);
  swap.pay();
  await swap.blocks(4);
  swap.chain.balances.delete("usdt-erc20");
  const ours = swap.chain.blocks;
  swap.chain.blocks = ours.map((block) => ({ ...block, hash: `other ${block.hash}`, transactions: [] }));
  for (let turn = 0; turn < 2; turn += 1)
    await expect(swap.settle()).rejects.toThrow("the chain changed below the 7 stored blocks");
  expect(await stopped()).toEqual([{ action: "pay", scope: "ETH", direction: "both" }]);
  expect(await held()).toEqual([]);
  while (await swap.testEngine.engine.runPayouts("ETH"));
  expect(await database.kysely.selectFrom("payout_attempts").select("n").execute()).toEqual([]);
  swap.chain.blocks = ours;
  await swap.blocks(2);
  expect([swap.paid(), await stopped()]).toEqual([[FULL], []]);
});
