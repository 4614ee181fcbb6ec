import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;
const FINAL = 8;
const elsewhere = [{ outputIndex: -1, toAddress: "elsewhere", slug: "usdt-erc20", amount: 7n }];
const theSame = [{ outputIndex: -1, toAddress: "destination", slug: "usdt-erc20", amount: FULL }];

let database: TestDatabase;
let swap: FaultySwap;

/** The payment is signed and in the mempool. */
beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
  await swap.open();
  swap.pay();
  await swap.blocks(3);
  expect(swap.chain.pending).toHaveLength(1);
});
afterEach(() => database.drop());

const payout = () =>
  database.kysely.selectFrom("payouts").select(["id", "state", "review_reason"]).executeTakeFirstOrThrow();
const attempts = async () =>
  (await database.kysely.selectFrom("payout_attempts").select("status").orderBy("n").execute()).map(
    ({ status }) => status,
  );
const parts = () => ({ database, catalogue: swap.testEngine.catalogue, isRegtest: true });
const admin = async (text: string) => {
  const words = text.split(" ");
  return (await runRecoveryCommand(database, parts().catalogue, words)) ?? (await runHeldCommand(parts(), words));
};
const dismiss = (txId: string) => admin(`unknown-payment dismiss ETH ${txId} made by hand --as ann`);
const retry = async () => admin(`payout retry ${(await payout()).id} it is owed --as ann`);

describe("a payment whose nonce the chain has used for a transaction that no row knows", () => {
  it("is signed again on another nonce once that is final and an operator has said that it was made outside", async () => {
    const foreign = swap.chain.spendOutside(elsewhere);
    await swap.blocks(1);
    await dismiss(foreign);
    await swap.blocks(1);
    expect(await attempts()).toEqual(["broadcast"]);
    await swap.blocks(FINAL + 4);
    expect(await attempts()).toEqual(["dead", "mined"]);
    expect(swap.paid()).toEqual([FULL]);
    expect(await payout()).toMatchObject({ state: "final" });
    await swap.expectLawful();
  });

  it("waits until an operator has decided what that transaction was", async () => {
    const foreign = swap.chain.spendOutside(elsewhere);
    await swap.blocks(2 * FINAL);
    expect(await attempts()).toEqual(["broadcast"]);
    await dismiss(foreign);
    await swap.blocks(FINAL + 4);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("is put in review when no operator has decided on that transaction, such as one older than the database", async () => {
    swap.chain.spendOutside(elsewhere);
    await swap.blocks(1);
    await database.kysely.deleteFrom("unknown_payments").execute();
    await swap.blocks(FINAL + 2);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "replaced_on_chain" });
    await retry();
    await swap.blocks(FINAL + 2);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("is put in review when that transaction pays the same, whatever an operator has said, and goes on by a command", async () => {
    const foreign = swap.chain.spendOutside(theSame);
    await swap.blocks(1);
    await dismiss(foreign);
    await swap.blocks(FINAL + 2);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "replaced_on_chain" });
    expect(await attempts()).toEqual(["dead"]);
    expect(swap.paid()).toEqual([FULL]);
    await retry();
    await swap.blocks(FINAL + 2);
    expect(swap.paid()).toEqual([FULL, FULL]);
    expect(await payout()).toMatchObject({ state: "final" });
  });

  it("is the one that is mined when a reorganisation takes the other away before it is final", async () => {
    const ours = swap.chain.pending[0]?.txId ?? "";
    const foreign = swap.chain.spendOutside(elsewhere);
    await swap.blocks(1);
    await dismiss(foreign);
    await swap.blocks(1);
    swap.chain.reorg(2);
    await swap.blocks(FINAL + 4);
    expect(swap.paid()).toEqual([FULL]);
    expect((await swap.info()).withdrawals).toMatchObject([{ txId: ours }]);
    expect(await attempts()).toEqual(["mined"]);
  });

  it("is put in review when that happens after it was mined and undone", async () => {
    await swap.blocks(1);
    expect(await payout()).toMatchObject({ state: "mined" });
    swap.chain.reorg(1);
    const foreign = swap.chain.spendOutside(elsewhere);
    await swap.blocks(1);
    await dismiss(foreign);
    await swap.blocks(FINAL + 1);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "replaced_on_chain" });
    expect(await attempts()).toEqual(["dead"]);
    await retry();
    await swap.blocks(FINAL + 2);
    expect(swap.paid()).toEqual([FULL]);
    expect(await payout()).toMatchObject({ state: "final" });
    await swap.expectLawful();
  });

  it("that its node has refused before can be signed again too", async () => {
    swap.chain.evict(swap.chain.pending[0]?.txId ?? "");
    swap.chain.refuses = true;
    swap.chain.marketFee = 10_000n;
    for (let turn = 0; turn < 6; turn += 1) await swap.settle();
    expect(await payout()).toMatchObject({ state: "review", review_reason: "broadcast_refused" });
    const foreign = swap.chain.spendOutside(elsewhere);
    await swap.blocks(1);
    await dismiss(foreign);
    await swap.blocks(FINAL + 2);
    expect(await attempts()).toEqual(["dead"]);
    swap.chain.refuses = false;
    swap.chain.marketFee = 21n;
    await retry();
    await swap.blocks(FINAL + 4);
    expect(swap.paid()).toEqual([FULL]);
    await swap.expectLawful();
  });
});
