import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "../../server/base/logging/log.ts";
import { restoreBackup, writeBackup } from "../../server/db/backup/backup.ts";
import { createReconciler } from "../../server/treasury/balances/reconciler.ts";
import { openBooks } from "../../server/treasury/ledger/ledger.ts";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { settlePaymentsToOurselves } from "../../server/treasury/payouts/to-ourselves.ts";
import { listUnknownPayments, unknownPaymentOfOrder } from "../../server/treasury/payouts/unknown-payments.ts";
import { CountingChain } from "../support/chains/counting-chain.ts";
import { sweepViolations } from "../support/checkers/sweep-checkers.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const USDT_1500 = 1_500_000_000n;
const tokenOrder = orderBody({
  instrumentFrom: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
  instrumentTo: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
  claimedDepositAmount: "1500",
});

let folder: string;
let chain: CountingChain;
let database: TestDatabase;
let restored: TestDatabase;
let before: TestEngine;
let after: TestEngine;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-sweep-backup-"));
  chain = new CountingChain();
  chain.mine(2);
  database = await freshDatabase();
  restored = await freshDatabase({ empty: true });
  before = await createTestEngine({ database, reader: chain, wallet: chain });
  await openBooks(database, chain, ["eth", "usdt-erc20"], { now: () => new Date() });
  await before.settle();
});
afterEach(async () => {
  await Promise.all([database.drop(), restored.drop()]);
  await rm(folder, { recursive: true });
});

const live = async (db: TestDatabase, { engine, settle }: TestEngine, blocks: number) => {
  for (let mined = 0; mined < blocks; mined += 1) {
    await timePasses(db);
    while (await engine.runSweeps("ETH"));
    chain.mine();
    await settle();
  }
};
const completed = async (body = orderBody(), slug = "eth", amount = HALF_ETH) => {
  const order = await before.engine.orderService.create(body, { key: "c", traceId: "t" });
  chain.deposit(order.depositAddress, slug, amount);
  await live(database, before, 12);
  return order;
};
const backUp = () => writeBackup(database, join(folder, "backup.gz"));
const restore = async () => {
  await restoreBackup(restored, join(folder, "backup.gz"));
  after = await createTestEngine({ database: restored, reader: chain, wallet: chain });
};
const admin = async (text: string) => {
  const parts = { database: restored, catalogue: after.catalogue, isRegtest: true };
  const words = text.split(" ");
  return (await runRecoveryCommand(restored, parts.catalogue, words)) ?? (await runHeldCommand(parts, words)) ?? "";
};
const sweepPayment = () =>
  restored.kysely
    .selectFrom("payouts")
    .select(["id", "state", "review_reason", "last_error"])
    .where("purpose", "=", "sweep")
    .executeTakeFirstOrThrow();
const writeOff = async () => {
  const { id } = await sweepPayment();
  const proposal = /^proposal (\d+)/.exec(await admin(`payout write-off ${id} swept after the backup --as ann`))?.[1];
  await expect(admin(`freeze confirm ${proposal} I said so --as Ann`)).rejects.toThrow("somebody else");
  await expect(admin(`payout write-off ${id} once more --as cay`)).rejects.toThrow(`Proposal ${proposal}`);
  return admin(`freeze confirm ${proposal} looked it up --as bob`);
};
const clock = { now: () => new Date() };
const FINAL = 12;
const reconcile = async () => {
  const { reportShortage, endExplainedShortage } = after.switches;
  const reconciler = createReconciler({
    database: restored,
    wallets: new Map([["ETH", chain]]),
    readers: new Map([["ETH", chain]]),
    slugsOf: () => ["eth", "usdt-erc20"],
    switches: { reportShortage, endExplainedShortage },
    clock,
    log: createLog({ level: "silent" }),
  });
  const wallets = new Map([["ETH", chain]]);
  const settling = {
    database: restored,
    wallets,
    readers: wallets,
    finalDepthOf: () => FINAL,
    clock,
    log: restored.log,
  };
  for (let run = 0; run < 3; run += 1) {
    await settlePaymentsToOurselves(settling, "ETH");
    await reconciler.reconcile("ETH");
  }
};
const books = async (name: string, slug: string) =>
  (
    await restored.kysely
      .selectFrom("ledger_accounts")
      .select("balance")
      .where("name", "=", name)
      .where("slug", "=", slug)
      .executeTakeFirst()
  )?.balance ?? 0n;

describe("a sweep that was made after the backup", () => {
  /** Blocks with all that a worker does meanwhile, and what its reconciler books. */
  const settled = async (blocks = 30) => {
    for (let block = 0; block < blocks; block += 1) {
      await live(restored, after, 1);
      await after.engine.planSweeps();
      await reconcile();
      expect(await admin("held")).not.toContain("surplus");
    }
  };
  const expectBooked = async () => {
    expect(await listHeld(restored)).toEqual([]);
    expect(await listUnknownPayments(restored)).toEqual([]);
    const holds = async (address: string, slug: string) => chain.holds(address, slug);
    expect(
      await sweepViolations(restored, {
        holds,
        arrived: async (slug) => chain.received("hot", slug).filter((amount) => amount > 1n),
      }),
    ).toEqual([]);
    for (const slug of ["eth", "usdt-erc20"]) expect(await books("hot", slug)).toBe(-(await chain.hotBalance(slug)));
    expect(await books("suspense", "eth")).toBe(0n);
    expect(await books("suspense", "usdt-erc20")).toBe(0n);
  };

  it.each([
    ["of the coin", orderBody(), "eth", HALF_ETH],
    ["of a token, with its gas,", tokenOrder, "usdt-erc20", USDT_1500],
  ])("%s is booked from the chain once it is final, without a command", async (_, body, slug, amount) => {
    await completed(body, slug, amount);
    await backUp();
    await before.engine.planSweeps();
    await live(database, before, 10);
    expect(chain.received("hot", slug)).toHaveLength(1);
    await restore();
    await settled();
    await expectBooked();
    expect(await sweepPayment()).toMatchObject({ state: "final" });
  });

  it.each([
    ["of the coin", orderBody(), "eth", HALF_ETH],
    ["of a token", tokenOrder, "usdt-erc20", USDT_1500],
  ])("%s and that the backup has planned is the one that it has", async (_, body, slug, amount) => {
    await completed(body, slug, amount);
    await before.engine.planSweeps();
    await backUp();
    await live(database, before, 10);
    await restore();
    await settled();
    await expectBooked();
    expect(await restored.kysely.selectFrom("sweeps").select("id").execute()).toHaveLength(1);
  });

  it("is the one whose own transaction was replaced after the backup", async () => {
    await completed();
    await before.engine.planSweeps();
    await timePasses(database);
    while (await before.engine.runSweeps("ETH"));
    await backUp();
    chain.marketFee = 2_000n;
    chain.mine();
    for (let turn = 0; turn < 3; turn += 1) {
      await timePasses(database, { replacements: true });
      await before.settle();
      while (await before.engine.runSweeps("ETH"));
    }
    await live(database, before, 3);
    expect(chain.received("hot", "eth")).toEqual([HALF_ETH - 2_000n]);
    await restore();
    await settled();
    expect(await sweepPayment()).toMatchObject({ state: "final" });
    expect(await listHeld(restored)).toEqual([]);
  });

  it("is undone in the books with its block, however deep, and booked again as another block shows it", async () => {
    await completed();
    await backUp();
    await before.engine.planSweeps();
    await live(database, before, 3);
    await restore();
    await settled(20);
    expect(await sweepPayment()).toMatchObject({ state: "final" });
    const depth =
      chain.tip.height -
      (await restored.kysely.selectFrom("unknown_sweeps").select("height").executeTakeFirstOrThrow()).height +
      1;
    chain.reorg(depth, true);
    await after.settle();
    expect(await books("deposits", "eth")).toBe(-HALF_ETH);
    await settled();
    await expectBooked();
    expect(await sweepPayment()).toMatchObject({ state: "final" });
    expect(chain.received("hot", "eth")).toHaveLength(1);
  });

  it("is left to operators where it moved what no sweep of ours would, and its coins are a surplus", async () => {
    const { depositAddress } = await completed();
    await backUp();
    chain.spendOutside([{ outputIndex: -1, toAddress: "hot", slug: "eth", amount: HALF_ETH / 3n }], depositAddress);
    await live(database, before, 2);
    await restore();
    for (let block = 0; block < 20; block += 1) {
      await live(restored, after, 1);
      await after.engine.planSweeps();
      await reconcile();
    }
    expect(
      (await restored.kysely.selectFrom("unknown_sweeps").select(["payout_id", "ended_at"]).execute())[0],
    ).toMatchObject({
      payout_id: null,
      ended_at: expect.any(Date),
    });
    expect(await admin("held")).toContain("unexplained_surplus");
  });
});

describe("where the network doesn't show sweeps", () => {
  beforeEach(() => {
    chain.hidesMoves = true;
  });
  it("a sweep that was made after the backup is written off by two operators, and the books agree with the chain", async () => {
    const { depositAddress } = await completed();
    await backUp();
    await before.engine.planSweeps();
    await live(database, before, 6);
    await restore();
    await live(restored, after, 1);
    await after.engine.planSweeps();
    await live(restored, after, 12);
    expect(await sweepPayment()).toMatchObject({ state: "review", review_reason: "failed_repeatedly" });

    expect(await writeOff()).toContain("missing: 0.5 eth in deposits");
    await reconcile();
    expect(await sweepPayment()).toMatchObject({ state: "returned" });
    expect(await restored.kysely.selectFrom("sweeps").select("state").execute()).toEqual([{ state: "done" }]);
    expect(await books("deposits", "eth")).toBe(0n);
    expect(await books("hot", "eth")).toBe(-(await chain.hotBalance("eth")));
    // What arrived in the hot wallet is explained by no row.
    expect(await admin("held")).toMatch(/^surplus 1 {2}unexplained_surplus /);
    await admin("surplus keep 1 the sweep brought it --as ann");
    expect(await admin("freeze confirm 2 so it did --as bob")).toContain("of suspense are ours, booked");
    expect(await books("suspense", "eth")).toBe(0n);
    expect(await admin("held")).toBe("nothing is held");
    // What its fee has left at the address belongs to no order.
    expect(chain.holds(depositAddress, "eth")).toBeLessThan(100n);
    await after.engine.planSweeps();
    await live(restored, after, 3);
    expect(await restored.kysely.selectFrom("sweeps").select("state").execute()).toEqual([{ state: "done" }]);
  });

  it("so is one of a token that the backup has planned: its gas can't be estimated any more", async () => {
    await completed(tokenOrder, "usdt-erc20", USDT_1500);
    await before.engine.planSweeps();
    await backUp();
    await live(database, before, 10);
    expect(chain.received("hot", "usdt-erc20")).toEqual([USDT_1500]);
    await restore();
    await live(restored, after, 4);
    // Its gas was paid from the hot wallet, which the chain shows.
    const [gas] = await restored.kysely.selectFrom("unknown_payments").select("tx_id").execute();
    await admin(`unknown-payment dismiss ETH ${gas?.tx_id} the gas of a sweep --as ann`);
    await live(restored, after, 10);
    expect(await sweepPayment()).toMatchObject({ state: "review", review_reason: "failed_repeatedly" });
    await writeOff();
    await reconcile();
    expect(await books("deposits", "usdt-erc20")).toBe(0n);
    expect(await books("hot", "usdt-erc20")).toBe(-(await chain.hotBalance("usdt-erc20")));
  });

  it("the gas of a token's sweep may be no order's refund: nobody is paid at our own addresses", async () => {
    await completed(tokenOrder, "usdt-erc20", USDT_1500);
    before.rates.min = HALF_ETH * 2n;
    const waiting = await completed();
    await before.engine.planSweeps();
    await backUp();
    await live(database, before, 10);
    await restore();
    await live(restored, after, 4);
    const [gas, ...others] = await listUnknownPayments(restored);
    expect(others).toEqual([]);
    expect(gas?.pays).toMatchObject([{ to: expect.stringContaining("deposit"), slug: "eth" }]);
    expect(gas?.orders).toEqual([]);
    expect(await unknownPaymentOfOrder(restored.kysely, waiting.orderId)).toBeNull();
    await admin(`unknown-payment dismiss ETH ${gas?.txId} the gas of a sweep --as ann`);

    // To an address outside it may be one.
    await restored.pool.query(
      `insert into unknown_payments (network, tx_id, height, pays, found_at)
     select network, 'another', height, jsonb_set(pays, '{0,to}', '"outside"'), found_at from unknown_payments`,
    );
    expect(await unknownPaymentOfOrder(restored.kysely, waiting.orderId)).toBe("another");
    await expect(admin("unknown-payment dismiss ETH another outside --as ann")).rejects.toThrow(waiting.orderId);
  });

  it("so is one that was replaced after the backup: its own transaction is dead once the other is final", async () => {
    await completed();
    await before.engine.planSweeps();
    await timePasses(database);
    while (await before.engine.runSweeps("ETH"));
    await backUp();
    chain.marketFee = 2_000n;
    chain.mine();
    await timePasses(database, { replacements: true });
    await before.settle();
    await timePasses(database, { replacements: true });
    while (await before.engine.runSweeps("ETH"));
    await timePasses(database, { replacements: true });
    while (await before.engine.runSweeps("ETH"));
    await live(database, before, 3);
    expect(chain.received("hot", "eth")).toEqual([HALF_ETH - 2_000n]);
    await restore();
    await live(restored, after, 14);
    expect(await sweepPayment()).toMatchObject({ state: "review", review_reason: "failed_repeatedly" });
    await writeOff();
    await reconcile();
    expect(await books("deposits", "eth")).toBe(0n);
    expect(chain.received("hot", "eth")).toEqual([HALF_ETH - 2_000n]);
  });
});

it("nothing else can be written off so: a sweep that may still be made, and a customer's payment", async () => {
  await completed();
  await backUp();
  await restore();
  const { id } = await restored.kysely.selectFrom("payouts").select("id").executeTakeFirstOrThrow();
  await expect(admin(`payout write-off ${id} why not --as ann`)).rejects.toThrow("not in review");
  await restored.kysely.updateTable("payouts").set({ state: "review", review_reason: "not_authorised" }).execute();
  await expect(admin(`payout write-off ${id} why not --as ann`)).rejects.toThrow();
  await restored.kysely.updateTable("payout_attempts").set({ status: "dead" }).execute();
  await expect(admin(`payout write-off ${id} why not --as ann`)).rejects.toThrow("is no sweep");
});

it("a proposal is void once the sweep goes on", async () => {
  await completed();
  await backUp();
  await restore();
  await live(restored, after, 1);
  const held = chain.depositBalance.bind(chain);
  chain.depositBalance = async () => 0n;
  await after.engine.planSweeps();
  await live(restored, after, 12);
  const { id } = await sweepPayment();
  const proposal = /^proposal (\d+)/.exec(await admin(`payout write-off ${id} gone --as ann`))?.[1];
  chain.depositBalance = held;
  await admin(`payout retry ${id} they are back --as ann`);
  await live(restored, after, 6);
  await expect(admin(`freeze confirm ${proposal} yes --as bob`)).rejects.toThrow("is final, not in review");
  expect(await admin("held")).toBe("nothing is held");
  expect(
    await sweepViolations(restored, {
      holds: async (address, slug) => chain.holds(address, slug),
      arrived: async (slug) => chain.received("hot", slug),
    }),
  ).toEqual([]);
});
