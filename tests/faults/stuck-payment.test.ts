import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue } from "../../server/catalogue/index.ts";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;

let database: TestDatabase;
let swap: FaultySwap;

/** The payment was sent while its fee was enough; then fees rise. */
beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
  await swap.open();
  swap.pay();
  await swap.blocks(3);
  expect(swap.chain.pending).toHaveLength(1);
  swap.chain.marketFee = 100n;
  await swap.blocks(1);
});
afterEach(() => database.drop());

const attempts = () =>
  database.kysely
    .selectFrom("payout_attempts")
    .select(["n", "replaces", "excludes_replaced", "status", "tx_id", "max_cost"])
    .orderBy("n")
    .execute();
const payout = () =>
  database.kysely
    .selectFrom("payouts")
    .select(["state", "replacements", "stuck_reason"])
    .orderBy("id")
    .executeTakeFirstOrThrow();
const admin = (text: string) =>
  runHeldCommand({ database, catalogue: swap.testEngine.catalogue, isRegtest: true }, text.split(" "));
const payoutId = async () =>
  (await database.kysely.selectFrom("payouts").select("id").executeTakeFirstOrThrow()).id.toString();
const feesBooked = async () => {
  const { rows } = await database.pool.query<{ amount: string }>(
    `select e.amount from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
     join ledger_accounts a on a.id = e.account_id where t.kind = 'network_fee' and a.name = 'hot' order by t.id`,
  );
  return rows.map(({ amount }) => BigInt(amount));
};
const expectPaidBy = async (n: number, fee: bigint) => {
  expect(swap.paid()).toEqual([FULL]);
  expect(await payout()).toMatchObject({ state: "final", stuck_reason: null });
  const rows = await attempts();
  expect(rows.map((row) => row.status)).toEqual(rows.map((row) => (row.n === n ? "mined" : "dead")));
  expect((await swap.info()).withdrawals).toMatchObject([{ txId: rows[n - 1]?.tx_id }]);
  expect(await feesBooked()).toEqual([fee]);
  const reserved = await database.kysely
    .selectFrom("payout_handles")
    .select("id")
    .where("released_at", "is", null)
    .execute();
  expect(reserved).toEqual([]);
  await swap.expectLawful();
};

describe("a payment that no block takes because fees have risen", () => {
  it("is replaced after its time, on the same nonce, and arrives once", async () => {
    await swap.blocks(3);
    expect(await attempts()).toHaveLength(1);
    await swap.waitInVain();
    expect(await attempts()).toMatchObject([
      { n: 1, replaces: null, excludes_replaced: false, max_cost: null },
      { n: 2, replaces: 1, excludes_replaced: true, max_cost: 100n },
    ]);
    expect((await swap.info()).withdrawals).toMatchObject([{ txId: (await attempts())[1]?.tx_id }]);
    await swap.blocks(6);
    await expectPaidBy(2, 100n);
  });

  it("waits while fees would gain it nothing", async () => {
    swap.chain.marketFee = 21n;
    swap.chain.pending.splice(0);
    await swap.waitInVain();
    await swap.blocks(5);
    expect(await attempts()).toHaveLength(1);
    expect(swap.paid()).toEqual([FULL]);
  });

  it("is booked by the old transaction when that is mined after the new one was stored", async () => {
    await swap.waitInVain();
    const [old] = await attempts();
    swap.chain.takeReplaced(old?.tx_id ?? "");
    await swap.blocks(6);
    await expectPaidBy(1, 100n);
  });

  it("is booked by whichever a reorganisation leaves in the chain", async () => {
    swap.chain.marketFee = 50n;
    await swap.waitInVain();
    await swap.blocks(1);
    expect(swap.paid()).toEqual([FULL]);
    const [old, replacement] = await attempts();
    expect((await swap.info()).withdrawals).toMatchObject([{ txId: replacement?.tx_id }]);
    swap.chain.reorg(1, true);
    swap.chain.marketFee = 77n;
    swap.chain.takeReplaced(old?.tx_id ?? "");
    await swap.blocks(2);
    expect((await attempts()).map(({ status }) => status)).toEqual(["mined", "broadcast"]);
    expect((await swap.info()).withdrawals).toMatchObject([{ txId: old?.tx_id }]);
    await swap.blocks(4);
    await expectPaidBy(1, 77n);
  });

  it("is found again by its other transaction when a reorganisation undoes what was final", async () => {
    await swap.waitInVain();
    await swap.blocks(4);
    await expectPaidBy(2, 100n);
    const [old] = await attempts();
    swap.chain.reorg(6, true);
    swap.chain.marketFee = 133n;
    swap.chain.takeReplaced(old?.tx_id ?? "");
    await swap.blocks(9);
    expect(swap.paid()).toEqual([FULL]);
    expect((await attempts()).map(({ status }) => status)).toEqual(["mined", "dead"]);
    expect(await feesBooked()).toEqual([100n, 33n]);
    await swap.expectLawful();
  });

  it("is replaced once more when fees rise again, after a longer pause", async () => {
    await swap.waitInVain();
    const pause = async () => {
      const { rows } = await database.pool.query<{ seconds: number }>(
        "select round(extract(epoch from replace_at - now()))::int as seconds from payouts",
      );
      return rows[0]?.seconds ?? 0;
    };
    expect(await pause()).toBeGreaterThan(230);
    swap.chain.marketFee = 500n;
    await swap.waitInVain();
    expect(await pause()).toBeGreaterThan(470);
    await swap.blocks(6);
    await expectPaidBy(3, 500n);
  });

  it("stays on its way with an alert once it was replaced as often as it may be", async () => {
    for (let fee = 200n; (await payout()).stuck_reason === null && fee < 10n ** 6n; fee *= 2n) {
      swap.chain.marketFee = fee;
      await swap.waitInVain();
    }
    expect(await payout()).toEqual({ state: "broadcast", replacements: 5, stuck_reason: "replaced_too_often" });
    expect(await attempts()).toHaveLength(6);
    expect(await admin("held")).toMatch(/^payout \d+ {2}replaced_too_often {2}for \d min {2}\(.*replaced 5 times\)$/);
    await admin(`payout replace ${await payoutId()} fees stay high --as ann`);
    expect(await payout()).toEqual({ state: "broadcast", replacements: 0, stuck_reason: null });
    await swap.settle();
    expect(await attempts()).toHaveLength(7);
    expect(await admin("held")).toBe("nothing is held");
    await expect(admin(`payout replace ${await payoutId()} again --as ann`)).rejects.toThrow("is not stuck");
    await swap.blocks(6);
    expect(swap.paid()).toEqual([FULL]);
    expect(await payout()).toMatchObject({ state: "final", stuck_reason: null });
  });

  it("is not replaced over a cap, and says so", async () => {
    swap.chain.feeCap = 50n;
    await swap.waitInVain();
    expect(await payout()).toEqual({ state: "broadcast", replacements: 0, stuck_reason: "fee_over_cap" });
    swap.chain.feeCap = 500n;
    await swap.waitInVain();
    expect(await payout()).toMatchObject({ replacements: 1, stuck_reason: null });
    await swap.blocks(6);
    await expectPaidBy(2, 100n);
  });

  it("is not replaced while payments are stopped", async () => {
    await swap.testEngine.switches.stop({ action: "pay", scope: "ETH", direction: "both", reason: "test" });
    await swap.waitInVain();
    expect(await attempts()).toHaveLength(1);
    await swap.testEngine.switches.release({ action: "pay", scope: "ETH", direction: "both" });
    await swap.waitInVain();
    expect(await attempts()).toHaveLength(2);
  });

  it("is not replaced by a wallet that can't pay both", async () => {
    swap.chain.showsMinedOnly = true;
    swap.chain.balances.set("eth", 99n);
    await swap.waitInVain();
    expect(await payout()).toEqual({ state: "broadcast", replacements: 0, stuck_reason: "not_enough_funds" });
  });

  it("keeps what its replacement may cost from being promised to others", async () => {
    await swap.waitInVain();
    expect(await attempts()).toHaveLength(2);
    swap.chain.marketFee = 101n;
    swap.chain.showsMinedOnly = true;
    swap.chain.balances.set("eth", 200n);
    await swap.open({ destinationAddress: "second" });
    swap.pay();
    await swap.blocks(4);
    // Its own 101 and the 100 of the replacement, of which the handle of the stuck one says 21.
    expect(await attempts()).toHaveLength(2);
    swap.chain.balances.set("eth", 201n);
    await swap.blocks(1);
    expect(await attempts()).toHaveLength(3);
  });
});

it("the database refuses a second live attempt that excludes nothing, and a second one in a block", async () => {
  await swap.waitInVain();
  const change = (what: string) => database.pool.query(`update payout_attempts set ${what} where n = 2`);
  await expect(change("excludes_replaced = false")).rejects.toThrow("payout_attempts_alive");
  await expect(change("replaces = null, excludes_replaced = false")).rejects.toThrow(/payout_attempts_(alive|chain)/);
  await database.pool.query("update payout_attempts set status = 'mined' where n = 1");
  await expect(change("status = 'mined'")).rejects.toThrow("payout_attempts_mined");
});

it("a replacement that was signed after the backup is booked by an operator, and the payment is not made again", async () => {
  // As after the restore: the chain has a replacement that no row knows.
  await swap.waitInVain();
  const [, lost] = await attempts();
  await database.pool.query("delete from payout_attempts where n = 2");
  await swap.blocks(2);
  expect(swap.paid()).toEqual([FULL]);
  const book = `unknown-payment book ETH ${lost?.tx_id} ${await payoutId()} seen in the explorer --as ann`;
  expect(await runRecoveryCommand(database, swap.testEngine.catalogue, book.split(" "))).toContain("is payment");
  await swap.blocks(6);
  expect((await attempts()).map(({ status }) => status)).toEqual(["dead", "mined"]);
  expect(await payout()).toMatchObject({ state: "final" });
  expect(swap.paid()).toEqual([FULL]);
});

describe("a payment behind a stuck one", () => {
  it("is not replaced for its sake, and is mined after it", async () => {
    const first = swap.order;
    await swap.open({ destinationAddress: "behind" });
    swap.pay();
    await swap.blocks(4);
    expect(swap.chain.pending).toHaveLength(2);
    swap.chain.marketFee = 300n;
    await swap.waitInVain();
    const byNonce = await database.kysely
      .selectFrom("payout_attempts")
      .innerJoin("payouts", "payouts.id", "payout_attempts.payout_id")
      .select(["payouts.order_id", "n"])
      .orderBy("payouts.id")
      .orderBy("n")
      .execute();
    expect(byNonce.filter((row) => row.order_id === first.orderId)).toHaveLength(2);
    expect(byNonce.filter((row) => row.order_id !== first.orderId)).toHaveLength(1);
    await swap.blocks(2);
    await swap.waitInVain();
    await swap.blocks(4);
    expect(swap.chain.received("behind", "usdt-erc20")).toEqual([FULL]);
    expect(swap.chain.received("destination", "usdt-erc20")).toEqual([FULL]);
  });
});

describe("an empty payment that no block takes", () => {
  it("is replaced as well", async () => {
    swap.chain.pending.splice(0);
    swap.chain.refuses = true;
    const empties = () =>
      database.kysely.selectFrom("payout_cancellations").select(["n", "status"]).orderBy("n").execute();
    for (let block = 0; (await empties()).length === 0 && block < 12; block += 1) await swap.blocks(1);
    expect(await payout()).toMatchObject({ state: "review" });
    expect(await empties()).toHaveLength(1);
    swap.chain.marketFee = 1_000n;
    await swap.blocks(1);
    await swap.waitInVain();
    await swap.waitInVain();
    await swap.blocks(5);
    expect((await empties()).map(({ status }) => status)).toEqual(["dead", "mined"]);
    expect(swap.paid()).toEqual([]);
    expect(await attempts()).toMatchObject([{ status: "dead" }]);
  });
});

describe("the catalogue", () => {
  it("says when a payment of a network is stuck", async () => {
    const { networks } = await loadCatalogue();
    const after = (network: string) => networks.get(network)?.replaceAfterSeconds;
    expect(["ETH", "BTC", "LTC", "XMR"].map(after)).toEqual([120, 3_600, 900, 720]);
    expect(networks.get("ETH")?.maxReplacements).toBe(5);
  });
});
