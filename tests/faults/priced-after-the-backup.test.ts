import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Order } from "#contract/order.ts";
import { restoreBackup, writeBackup } from "../../server/db/backup/backup.ts";
import { noticeRestore } from "../../server/db/backup/restored.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { violations } from "../support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { makeDue } from "../support/database/due-rows.ts";
import { FaultySwap, HALF_ETH } from "../support/scenarios/faulty-swap.ts";
import { askForRefund, createTestEngine, StillRates, type TestEngine } from "../support/scenarios/test-engine.ts";

const FULL = 1_491_500_000n;
const FEE = 1_000_000n;
const CONFIRMATIONS = 3;

let folder: string;
let database: TestDatabase;
let restored: TestDatabase;
let swap: FaultySwap;
let after: TestEngine;
let rates: StillRates;
let dump: string;

/** A backup is taken before it is decided what an order is paid; that is decided and made, and only the backup is left. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-backup-"));
  dump = join(folder, "backup.gz");
  database = await freshDatabase();
  restored = await freshDatabase({ empty: true });
  await noticeRestore(database, database.log);
  swap = await FaultySwap.over(database);
  rates = new StillRates();
  await swap.open({ refundAddress: "refund" });
  swap.pay();
  await swap.blocks(1);
  await writeBackup(database, dump);
});
afterEach(async () => {
  await Promise.all([database.drop(), restored.drop()]);
  await rm(folder, { recursive: true });
});

const restore = async () => {
  await restoreBackup(restored, dump);
  after = await createTestEngine({ database: restored, reader: swap.chain, wallet: swap.chain, rates });
  await goOn(0);
};
const goOn = async (blocks = 6) => {
  for (let mined = 0; mined <= blocks; mined += 1) {
    await makeDue(restored, "orders", "payouts");
    await after.settle();
    if (mined < blocks) swap.chain.mine();
  }
};
const admin = async (text: string): Promise<string> => {
  const words = text.split(" ");
  const parts = { database: restored, catalogue: after.catalogue, isRegtest: true };
  return (
    (await runRecoveryCommand(restored, after.catalogue, words, correctPayment)) ??
    (await runHeldCommand(parts, words)) ??
    ""
  );
};
const info = (): Promise<Order> => after.engine.orderService.info(swap.order.orderId, "destination");
const payment = () =>
  restored.kysely.selectFrom("payouts").select(["id", "purpose", "amount", "state"]).executeTakeFirstOrThrow();
const openPayment = () =>
  restored.kysely
    .selectFrom("payouts")
    .select(["id", "purpose", "amount"])
    .where("state", "=", "intended")
    .executeTakeFirstOrThrow();
const unknown = async (): Promise<string> =>
  (await restored.kysely.selectFrom("unknown_payments").select("tx_id").executeTakeFirstOrThrow()).tx_id;
const balances = async () =>
  Object.fromEntries(
    (
      await restored.kysely
        .selectFrom("ledger_accounts")
        .select(["name", "slug", "balance"])
        .where("name", "in", ["customers", "revenue"])
        .execute()
    ).map(({ name, slug, balance }) => [`${name} ${slug}`, balance]),
  );
/** The engine sees a booked payment in its block, which is undone: nobody has the transaction any more. Returns what its block had. */
async function undone(txId: string) {
  await goOn(0);
  expect((await info()).status).toMatch("_COMPLETED");
  const { blocks } = swap.chain;
  const at = blocks.findIndex(({ transactions }) => transactions.some((one) => one.txId === txId));
  const taken = blocks[at]?.transactions ?? [];
  swap.chain.reorg(blocks.length - at);
  await goOn(2);
  await restored.kysely
    .updateTable("payouts")
    .set({ replace_at: new Date(0) })
    .execute();
  await goOn(1);
  await admin(`unknown-payment unbook ETH ${txId} it is gone --as ann`);
  return taken;
}
const events = () =>
  restored.kysely.selectFrom("order_events").select(["kind", "data"]).where("kind", "=", "PAYMENT_CORRECTED").execute();
const lawful = async () => {
  const view = {
    delivered: async () => swap.paid(),
    isDeep: async (txId: string, confirmations: number) => {
      const found = await swap.chain.lookup(txId);
      return found.kind === "mined" && swap.chain.tip.height - found.height + 1 >= confirmations;
    },
  };
  expect(await violations(restored, view, CONFIRMATIONS)).toEqual([]);
};

describe("a payout that is priced anew", () => {
  /** A dollar more for an ether. */
  const ANEW = 1_491_997_500n;

  beforeEach(async () => {
    await swap.blocks(8);
    expect(swap.paid()).toEqual([FULL]);
    rates.prices.set("eth", 3001n * 10n ** 18n);
    await restore();
    expect(await payment()).toMatchObject({ purpose: "payout", amount: ANEW, state: "intended" });
  });

  it("is named with both amounts where the payment that no row knows is listed", async () => {
    const { id } = await payment();
    const named = `may be payment ${id} of order ${swap.order.orderId}, which owes 1491.9975 usdt-erc20`;
    expect(await admin("unknown-payments")).toContain(`1491.5 usdt-erc20 to destination (${named})`);
    const held = (await admin("held")).split("\n").find((line) => line.startsWith("unknown payment"));
    expect(held).toContain("to destination 1491.5 usdt-erc20");
    expect(held).toContain(named);
  });

  it("is booked with what the chain shows: the order is paid once, and says what it was paid", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    const said = await admin(`unknown-payment book ETH ${txId} ${id} the order of the backup --as ann`);
    expect(said).toContain("1491.5 usdt-erc20 instead of 1491.9975 usdt-erc20");
    expect(await payment()).toMatchObject({ amount: FULL, state: "broadcast" });
    await goOn();
    expect(swap.paid()).toEqual([FULL]);
    expect(await info()).toMatchObject({
      status: "WITHDRAWAL_COMPLETED",
      amountToGet: "1491.5",
      withdrawals: [{ txId, amount: "1491.5" }],
    });
    expect(await events()).toEqual([
      { kind: "PAYMENT_CORRECTED", data: { purpose: "payout", txId, amount: FULL.toString() } },
    ]);
    expect(await payment()).toMatchObject({ amount: FULL, state: "final" });
    expect(await balances()).toMatchObject({ "customers usdt-erc20": 0n, "customers eth": 0n });
    const actions = restored.kysely.selectFrom("operator_actions").select(["action", "before", "after"]).execute();
    expect(await actions).toEqual([
      {
        action: "book payment",
        before: { amount: ANEW.toString() },
        after: { payout: id.toString(), amount: FULL.toString() },
      },
    ]);
    await lawful();
  });

  it("is booked as it once more, after it was taken for another one that is gone", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    await restored.pool.query(
      "insert into unknown_payments (network, tx_id, height, pays, found_at) select network, 'another', height, jsonb_set(pays, '{0,amount}', '\"1490000000\"'), now() from unknown_payments",
    );
    const book = (tx: string) => admin(`unknown-payment book ETH ${tx} ${id} the order --as ann`);
    for (const gone of [txId, "another"]) {
      await book(gone);
      await restored.pool.query("update payouts set stuck_reason = 'booked_and_gone', stuck_at = now()");
      await restored.pool.query(
        "update unknown_payments set height = null, absent_at = now() where decision = 'booked'",
      );
      await admin(`unknown-payment unbook ETH ${gone} it is gone --as ann`);
    }
    await book(txId);
    await admin("unknown-payment dismiss ETH another it never came back --as ann");
    await goOn();
    expect([await payment(), await info()]).toMatchObject([{ state: "final" }, { amountToGet: "1491.5" }]);
    expect(await balances()).toMatchObject({ "customers usdt-erc20": 0n, "customers eth": 0n });
    await lawful();
  });

  describe("and booked with what the chain shows, which is undone after the order was completed,", () => {
    let [txId, id] = ["", 0n];
    let taken: Awaited<ReturnType<typeof undone>>;
    beforeEach(async () => {
      [txId, { id }] = [await unknown(), await payment()];
      await admin(`unknown-payment book ETH ${txId} ${id} the order of the backup --as ann`);
      taken = await undone(txId);
      expect(await payment()).toMatchObject({ amount: ANEW, state: "intended" });
      expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED", amountToGet: "1491.9975" });
      expect(await balances()).toMatchObject({ "customers usdt-erc20": 0n });
    });

    it("is paid anew with what was decided", async () => {
      await admin(`unknown-payment dismiss ETH ${txId} gone for good --as ann --pays-again --gone`);
      await goOn(14);
      expect([swap.paid(), await payment()]).toMatchObject([[ANEW], { amount: ANEW, state: "final" }]);
      expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED", amountToGet: "1491.9975" });
      expect(await balances()).toMatchObject({ "customers usdt-erc20": 0n, "customers eth": 0n });
      await lawful();
    });

    it("is booked once more with what it has paid, where a block has it again", async () => {
      swap.chain.pending.push(...taken);
      await goOn(2);
      await admin(`unknown-payment book ETH ${txId} ${id} it came back --as ann`);
      await goOn(14);
      expect([swap.paid(), await payment()]).toMatchObject([[FULL], { amount: FULL, state: "final" }]);
      expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED", amountToGet: "1491.5" });
      expect(await balances()).toMatchObject({ "customers usdt-erc20": 0n, "customers eth": 0n });
      await lawful();
    });
  });

  it("is abandoned as a whole where the booked payment never comes and the order is refunded", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    await admin(`unknown-payment book ETH ${txId} ${id} the order of the backup --as ann`);
    await restored.pool.query("update payout_attempts set status = 'dead'");
    await restored.pool.query("update payouts set state = 'review', review_reason = 'replaced_on_chain'");
    await admin(`payout refund ${id} it was undone --as ann`);
    await makeDue(restored, "orders");
    await after.engine.runOrders();
    expect(await payment()).toMatchObject({ purpose: "refund", state: "intended" });
    expect(await balances()).toMatchObject({ "customers usdt-erc20": 0n, "revenue usdt-erc20": 0n });
  });

  it("is not paid beside the payment of its order unless an operator says that it is paid again", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    const dismissed = `unknown-payment dismiss ETH ${txId} made by hand --as ann`;
    const refused = await admin(dismissed).catch((error: unknown) => String(error));
    expect(refused).toContain(`payment ${id} of order ${swap.order.orderId}, which owes 1491.9975 usdt-erc20`);
    expect(refused).toContain("--pays-again");
    await goOn();
    expect(swap.paid()).toEqual([FULL]);
    expect(await admin(`${dismissed} --pays-again`)).toContain(`payment ${id} of order ${swap.order.orderId}`);
    await goOn();
    expect(swap.paid()).toEqual([FULL, ANEW]);
  });

  it("is not refunded beside the payment that may have made it before its operator says that it hasn't", async () => {
    const { id } = await payment();
    const refund = `payout refund ${id} lost --as ann`;
    await expect(admin(refund)).rejects.toThrow(`${await unknown()} may have made payment ${id}`);
    await admin(`${refund} --unpaid`);
    await admin(`unknown-payment dismiss ETH ${await unknown()} made by hand --as ann --pays-again`);
    await goOn(14);
    expect([await info(), swap.chain.received("refund", "eth")]).toMatchObject([
      { status: "REFUND_COMPLETED" },
      [expect.any(BigInt)],
    ]);
  });

  it("holds the refund that an operator has asked for all the same, before any is made", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    const dismiss = `unknown-payment dismiss ETH ${txId} it was the payout --as ann --holds ${id}`;
    await expect(admin(dismiss)).rejects.toThrow(`Payment ${id} refunds no order that ${txId} may have paid out`);
    await admin(`payout refund ${id} lost --as ann --unpaid`);
    await goOn();
    expect(await payment()).toMatchObject({ purpose: "refund", state: "intended" });
    await expect(admin(`unknown-payment book ETH ${txId} ${id} why --as ann`)).rejects.toThrow("does not pay");
    await expect(admin(dismiss.replace(` --holds ${id}`, ""))).rejects.toThrow(`--holds ${id}`);
    expect(await admin(dismiss)).toContain(`Payment ${id}, which would refund the order that it has paid, is held`);
    await goOn(14);
    expect([swap.paid(), await payment()]).toMatchObject([[FULL], { state: "review" }]);
    await admin(`payout release ${id} that too --as ann`);
    await goOn(14);
    expect([await info(), await payment()]).toMatchObject([{ status: "REFUND_COMPLETED" }, { state: "final" }]);
  });

  it("is not booked as one that pays its address twice, since none of ours does", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    await restored.pool.query("update unknown_payments set pays = pays || pays");
    await expect(admin(`unknown-payment book ETH ${txId} ${id} why --as ann`)).rejects.toThrow(
      "pays destination twice",
    );
  });

  it("is not booked as what another open payment owes exactly", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    await restored.pool.query(
      `insert into deposits (network, tx_id, output_index, address, slug, amount, detected_at)
       values ('ETH', 'stray', 0, 'elsewhere', 'eth', 1, now())`,
    );
    await restored.pool.query(
      `insert into payouts (deposit_id, purpose, route, network, slug, to_address, amount, state, created_at)
       select id, 'refund', 'treasury', 'ETH', 'usdt-erc20', 'destination', ${FULL}, 'intended', now()
       from deposits where tx_id = 'stray'`,
    );
    await expect(admin(`unknown-payment book ETH ${txId} ${id} why --as ann`)).rejects.toThrow("owes exactly that");
  });

  it("is not booked where a partner is to make it, or where it pays another coin", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    const booked = `unknown-payment book ETH ${txId} ${id} why --as ann`;
    await restored.pool.query("update payouts set slug = 'usdc-erc20'");
    await expect(admin(booked)).rejects.toThrow("does not pay what payment");
    await restored.pool.query("update payouts set route = 'partner', slug = 'usdt-erc20'");
    await expect(admin(booked)).rejects.toThrow("a partner makes payment");
    expect(await admin("unknown-payments")).not.toContain("may be payment");
    expect(await events()).toEqual([]);
  });
});

describe("a payment that is not decided anew yet", () => {
  it("is not dismissed without a warning while its order may still be paid", async () => {
    await swap.blocks(8);
    await restoreBackup(restored, dump);
    rates.prices.clear();
    after = await createTestEngine({ database: restored, reader: swap.chain, wallet: swap.chain, rates });
    await goOn(0);
    expect(await restored.kysely.selectFrom("payouts").select("id").execute()).toEqual([]);
    expect(await admin("unknown-payments")).toContain(`order ${swap.order.orderId}, which may still be paid`);
    const dismissed = `unknown-payment dismiss ETH ${await unknown()} made by hand --as ann`;
    await expect(admin(dismissed)).rejects.toThrow(`order ${swap.order.orderId}`);
    expect(await admin(`${dismissed} --pays-again`)).toContain(`order ${swap.order.orderId}`);
  });
});

describe("a refund whose fee is quoted anew", () => {
  const DEARER = 3n * FEE;

  beforeEach(async () => {
    await askForRefund(swap.testEngine, swap.order, "refund");
    await swap.blocks(8);
    expect(swap.paid()).toEqual([HALF_ETH - FEE]);
    rates.fees.set("eth", DEARER);
    rates.prices.clear();
    await restoreBackup(restored, dump);
    after = await createTestEngine({ database: restored, reader: swap.chain, wallet: swap.chain, rates });
    await askForRefund(after, swap.order, "refund");
    rates.prices.set("eth", 3000n * 10n ** 18n).set("usdt-erc20", 10n ** 18n);
    await goOn(0);
    expect(await payment()).toMatchObject({ purpose: "refund", amount: HALF_ETH - DEARER, state: "intended" });
  });

  it("is booked with what the chain shows, and its fee with it", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    await admin(`unknown-payment book ETH ${txId} ${id} the refund of the backup --as ann`);
    await goOn();
    expect(swap.paid()).toEqual([HALF_ETH - FEE]);
    expect(await info()).toMatchObject({ status: "REFUND_COMPLETED", withdrawals: [{ txId, kind: "refund" }] });
    expect(await balances()).toMatchObject({ "customers eth": 0n, "revenue eth": FEE });
    const { rows } = await restored.pool.query("select snapshot->'refund' as refund from orders");
    expect(rows).toMatchObject([{ refund: { networkFee: FEE.toString(), amount: (HALF_ETH - FEE).toString() } }]);
    await lawful();
  });

  it("owes again what was decided, once a block that had it is undone for good", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    await admin(`unknown-payment book ETH ${txId} ${id} the refund of the backup --as ann`);
    await undone(txId);
    await admin(`unknown-payment dismiss ETH ${txId} gone for good --as ann --pays-again --gone`);
    await goOn(14);
    expect([swap.paid(), await payment()]).toMatchObject([[HALF_ETH - DEARER], { state: "final" }]);
    expect(await info()).toMatchObject({ status: "REFUND_COMPLETED" });
    expect(await balances()).toMatchObject({ "customers eth": 0n, "revenue eth": DEARER });
    await lawful();
  });

  it("is sent to another address beside the payment that may have made it only where its operator says that it hasn't", async () => {
    const { id } = await payment();
    const refund = `payout refund ${id} another --as ann --to 0x52908400098527886E0F7030069857D2E4169EE7`;
    await expect(admin(refund)).rejects.toThrow(`${await unknown()} may have made payment ${id}`);
    await admin(`${refund} --unpaid`);
    const asked = restored.kysely.selectFrom("payouts").select(["refund_beside as beside"]);
    expect(await asked.executeTakeFirst()).toEqual({ beside: [await unknown()] });
  });

  it("is sent to no other address beside the payment that has made it", async () => {
    const { id, amount } = await payment();
    await restored.pool.query(`update unknown_payments set pays = jsonb_set(pays, '{0,amount}', '"${amount}"')`);
    const refund = `payout refund ${id} another --as ann --to 0x52908400098527886E0F7030069857D2E4169EE7 --unpaid`;
    await expect(admin(refund)).rejects.toThrow(`${await unknown()} has paid just what payment ${id} owes`);
  });

  it("is not booked as more than was received", async () => {
    const [txId, { id }] = [await unknown(), await payment()];
    await restored.pool.query(`update unknown_payments set pays = jsonb_set(pays, '{0,amount}', '"${HALF_ETH + 1n}"')`);
    await expect(admin(`unknown-payment book ETH ${txId} ${id} why --as ann`)).rejects.toThrow("more than it received");
  });
});

describe("the return of a late deposit whose fee is quoted anew", () => {
  it("is booked with what the chain shows, and never as more than the deposit", async () => {
    await swap.blocks(8);
    swap.pay();
    await swap.blocks(1);
    dump = join(folder, "later.gz");
    await writeBackup(database, dump);
    await swap.blocks(8);
    expect(swap.paid()).toEqual([FULL, HALF_ETH - FEE]);
    rates.fees.set("eth", 3n * FEE);
    await restore();
    const [txId, returned] = [await unknown(), await openPayment()];
    expect(returned).toMatchObject({ purpose: "refund", amount: HALF_ETH - 3n * FEE });
    expect(await admin("unknown-payments")).toContain(`payment ${returned.id} of order ${swap.order.orderId}`);
    const pays = async (amount: bigint) =>
      restored.pool.query(`update unknown_payments set pays = jsonb_set(pays, '{0,amount}', '"${amount}"')`);
    const book = () => admin(`unknown-payment book ETH ${txId} ${returned.id} the late one --as ann`);
    await pays(HALF_ETH + 1n);
    await expect(book()).rejects.toThrow("more than deposit");
    await pays(HALF_ETH - FEE);
    await book();
    await goOn();
    expect(swap.paid()).toEqual([FULL, HALF_ETH - FEE]);
    const { rows } = await restored.pool.query<{ amount: string; state: string }>(
      `select p.amount::text, p.state from payouts p join payout_attempts a on a.payout_id = p.id where a.tx_id = '${txId}'`,
    );
    expect(rows).toEqual([{ amount: (HALF_ETH - FEE).toString(), state: "final" }]);
    expect(await balances()).toMatchObject({ "customers eth": 0n, "revenue eth": FEE });
    await lawful();
  });
});
