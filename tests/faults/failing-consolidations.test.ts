import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FeesOverCapError } from "../../server/chains/port.ts";
import { markRestored } from "../../server/db/backup/restored.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { settlePaymentsToOurselves } from "../../server/treasury/payouts/to-ourselves.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;
const CONFIRMATIONS = 3;

let database: TestDatabase;
let swap: FaultySwap;

/** An order is paid in on a network that was not read since a restore. */
beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
  swap.chain.consolidations = 2;
  await swap.open();
  swap.pay();
  await inTransaction(database, markRestored);
});
afterEach(() => database.drop());

const consolidations = () =>
  database.kysely
    .selectFrom("payouts")
    .select(["id", "state", "review_reason"])
    .where("purpose", "=", "consolidation")
    .orderBy("id")
    .execute();
const states = async () => (await consolidations()).map(({ state }) => state);
const waits = async () =>
  (await listHeld(database)).find(({ subject }) => subject === "network ETH")?.details.at(-1)?.text;
/** As a worker that looks at it no more by itself. */
const hold = (reason: string) =>
  database.pool.query(
    `update payouts set state = 'review', review_reason = $1, review_at = now(), next_attempt_at = null where purpose = 'consolidation'`,
    [reason],
  );
/** Whatever was given up has been so for long. */
const pausesEnd = () =>
  database.pool.query("update payouts set review_at = now() - interval '1 hour' where state = 'returned'");
/** Nobody says anything to it from here on. */
async function endsByItself(): Promise<void> {
  for (let block = 0; block < 30 && (await waits()) !== undefined; block += 1) {
    await pausesEnd();
    await swap.blocks(1);
  }
  await swap.blocks(2 * CONFIRMATIONS);
  expect(await waits()).toBeUndefined();
  expect((await states()).filter((state) => state !== "returned")).toEqual(["final", "final"]);
  expect(await listHeld(database)).toEqual([]);
  expect(swap.paid()).toEqual([FULL]);
  await swap.expectLawful();
}

describe("a payment to ourselves that its node refuses again and again", () => {
  const isHeld = async () => {
    for (let block = 0; block < 10 && (await states())[0] !== "review"; block += 1) await swap.blocks(1);
    await swap.testEngine.engine.followers.get("ETH")?.turn();
    expect(await waits()).toMatch(
      /^waits for payment \d+ to ourselves \(\w+; broadcast_refused: exceeds block gas limit\)/,
    );
    // Nothing follows it before the test says so.
    await database.pool.query("update payouts set review_at = now() + interval '1 hour' where state = 'review'");
  };

  it("gives its nonce on, and the next is begun after a pause without a command", async () => {
    swap.chain.refuses = true;
    await isHeld();
    swap.chain.refuses = false;
    await swap.blocks(CONFIRMATIONS + 3);
    expect(await states()).toEqual(["returned"]);
    expect(await waits()).toMatch(
      /^waits for the next payment to ourselves, at .*Z: nothing came of payment \d+ \(broadcast_refused: /,
    );
    await endsByItself();
  });

  it("is given up where no empty payment can take its place, and what it cost is booked should a block take it after all", async () => {
    Object.assign(swap.chain, { prepareCancellation: undefined });
    swap.chain.refuses = true;
    await isHeld();
    await swap.blocks(2);
    expect(await states()).toEqual(["returned"]);
    const { raw, tx_id: txId } = await database.kysely
      .selectFrom("payout_attempts")
      .select(["raw", "tx_id"])
      .executeTakeFirstOrThrow();
    swap.chain.refuses = false;
    await swap.chain.broadcast({ raw, txId });
    await swap.blocks(1);
    expect(await database.kysely.selectFrom("unknown_payments").select(["tx_id", "decision"]).execute()).toEqual([
      { tx_id: txId, decision: "to ourselves" },
    ]);
    await endsByItself();
    const wallets = new Map([["ETH", swap.chain]]);
    const clock = { now: () => new Date() };
    const parts = { database, wallets, readers: wallets, finalDepthOf: () => CONFIRMATIONS, clock, log: database.log };
    await settlePaymentsToOurselves(parts, "ETH");
    const booked = database.kysely
      .selectFrom("ledger_transfers")
      .select("source_id")
      .where("kind", "=", "to_ourselves_fee");
    expect(await booked.execute()).toEqual([{ source_id: `ETH ${txId}` }]);
  });
});

it.each(["not_authorised", "fee_over_cap", "failed_repeatedly", "failed_on_chain"])(
  "a payment to ourselves that is held as %s and has nothing alive is given up, and the next is begun",
  async (reason) => {
    const stop = { action: "pay", scope: "ETH", direction: "both", reason: "a test" } as const;
    await swap.testEngine.switches.stop(stop);
    await swap.blocks(1);
    expect(await states()).toEqual(["intended"]);
    await hold(reason);
    await swap.testEngine.switches.release(stop);
    await swap.blocks(1);
    expect(await states()).toEqual(["returned"]);
    await endsByItself();
  },
);

it("a payment to ourselves whose block was undone while another took its handle is led on when it is dead", async () => {
  await swap.blocks(1);
  expect(await states()).toEqual(["broadcast"]);
  await hold("undone_and_handle_taken");
  await database.pool.query("update payout_handles set released_at = now()");
  swap.chain.spendOutside([{ outputIndex: -1, toAddress: "hot", slug: "eth", amount: 1n }]);
  await swap.blocks(CONFIRMATIONS + 2);
  expect((await states())[0]).toBe("returned");
  await endsByItself();
});

describe("while no payment to ourselves can be chosen", () => {
  it.each([
    [new FeesOverCapError("gas costs 900 gwei, over 300"), "can't be made now: gas costs 900 gwei, over 300"],
    [new Error("https://node.example/?key=secret answers 503"), "its node gives no usable answer"],
  ])("the network says so, and its blocks are read on: %s", async (fault, said) => {
    swap.chain.consolidationFault = fault;
    await swap.blocks(2);
    expect(await waits()).toContain(said);
    expect(await waits()).not.toContain("secret");
    expect(await states()).toEqual([]);
    swap.chain.consolidationFault = null;
    await endsByItself();
  });
});
