import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { treasuryMetrics } from "../../server/treasury/metrics.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { rowViolations } from "../support/checkers/row-checkers.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;

let database: TestDatabase;
let swap: FaultySwap;

beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
});
afterEach(() => database.drop());

const order = async () => {
  await swap.open();
  swap.pay();
};
const nonces = async () =>
  (await database.kysely.selectFrom("payout_attempts").select("raw").orderBy("payout_id").execute()).map(
    ({ raw }) => (JSON.parse(raw) as { nonce: number }).nonce,
  );
const heldReasons = async () => (await listHeld(database)).map(({ reason }) => reason).toSorted();
const stuck = async () =>
  treasuryMetrics(database)
    .find(({ name }) => name === "payments_stuck")
    ?.read();
const feesBooked = async () => {
  const { rows } = await database.pool.query<{ kind: string; sum: string }>(
    `select t.kind, sum(e.amount)::text as sum from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
     join ledger_accounts a on a.id = e.account_id where t.kind like '%fee' and a.name = 'hot' group by t.kind order by t.kind`,
  );
  return rows;
};

describe("a node that counts payments which no block shows", () => {
  it("gets no nonce signed that it made up: the payment waits, visibly, until the count is right", async () => {
    swap.chain.inventedNonces = 3;
    await order();
    await swap.blocks(4);
    expect(await nonces()).toEqual([]);
    expect(await heldReasons()).toEqual(["nonce_too_high"]);
    expect(await stuck()).toEqual([{ labels: { network: "ETH", reason: "nonce_too_high" }, value: 1 }]);
    swap.chain.inventedNonces = 0;
    await swap.blocks(4);
    expect(swap.paid()).toEqual([FULL]);
    expect(await heldReasons()).toEqual([]);
  });

  it("is followed where payments that were made outside have used the nonces", async () => {
    await order();
    await swap.blocks(12);
    for (const round of [1, 2]) {
      const txId = swap.chain.spendOutside();
      await swap.blocks(round);
      await runRecoveryCommand(
        database,
        swap.testEngine.catalogue,
        `unknown-payment dismiss ETH ${txId} by hand --as ann`.split(" "),
      );
    }
    await order();
    await swap.blocks(6);
    expect(await nonces()).toEqual([0, 3]);
    expect(swap.paid()).toEqual([FULL, FULL]);
  });
});

describe("a gap below the nonces that were signed", () => {
  /** The node was wrong in everything that it said of nonces, and is right again. */
  beforeEach(async () => {
    swap.chain.inventedNonces = 3;
    swap.chain.inventsInBlocks = true;
    await order();
    await swap.blocks(3);
    swap.chain.inventedNonces = 0;
    await order();
    await swap.blocks(5);
    expect(await nonces()).toEqual([3, 4]);
    expect(swap.paid()).toEqual([]);
  });

  it("is an alert, and is filled by empty payments, so that every payment arrives once", async () => {
    await swap.waitInVain();
    expect(await heldReasons()).toEqual(["nonce_gap"]);
    expect(await stuck()).toEqual([{ labels: { network: "ETH", reason: "nonce_gap" }, value: 1 }]);
    await swap.blocks(12);
    expect(swap.paid()).toEqual([FULL, FULL]);
    expect(await heldReasons()).toEqual([]);
    expect(await listUnknownPayments(database)).toEqual([]);
    expect(await feesBooked()).toEqual([
      { kind: "child_fee", sum: "63" },
      { kind: "network_fee", sum: "42" },
    ]);
    await order();
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL, FULL, FULL]);
    expect(await rowViolations(database)).toEqual([]);
  });

  it("is filled at today's fee where no block takes the empty payments", async () => {
    await swap.waitInVain();
    swap.chain.marketFee = 100n;
    for (let waited = 0; waited < 3; waited += 1) await swap.waitInVain();
    await swap.blocks(12);
    await swap.waitInVain();
    await swap.blocks(12);
    expect(swap.paid()).toEqual([FULL, FULL]);
    expect((await feesBooked())[0]).toEqual({ kind: "child_fee", sum: "300" });
    expect(await rowViolations(database)).toEqual([]);
  });

  it("is not filled while payments of the network are stopped", async () => {
    const stop = { action: "pay", scope: "ETH", direction: "both" } as const;
    await swap.testEngine.switches.stop({ ...stop, reason: "a test" });
    await swap.waitInVain();
    await swap.blocks(2);
    expect(await database.kysely.selectFrom("payout_children").select("n").execute()).toEqual([]);
    expect(await heldReasons()).toEqual(["a test", "nonce_gap", "nonce_gap"]);
    await swap.testEngine.switches.release(stop);
    await swap.waitInVain();
    await swap.blocks(12);
    expect(swap.paid()).toEqual([FULL, FULL]);
  });
});
