import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { restoreBackup, writeBackup } from "../../server/db/backup/backup.ts";
import { noticeRestore } from "../../server/db/backup/restored.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { bookUnknownPayment } from "../../server/treasury/payouts/decide-unknown.ts";
import { dismissUnknownPayment } from "../../server/treasury/payouts/replacement/dismiss.ts";
import { listUnknownPayments, unknownPaymentStop } from "../../server/treasury/payouts/unknown-payments.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { runNetworkCommand } from "../../server/chains/operator.ts";
import { rowViolations } from "../support/checkers/row-checkers.ts";
import type { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { makeDue } from "../support/database/due-rows.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";
import { refundInsteadOfPayout } from "../../server/treasury/operator/payouts.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const FULL = 1_491_500_000n;
const stop = { action: "pay", scope: "ETH", direction: "both", reason: "a test" } as const;

let folder: string;
let database: TestDatabase;
let restored: TestDatabase;
let swap: FaultySwap;
let after: TestEngine;
let dump: string;

/** A backup is taken after a payout was decided and before it is made; then it is made, and the backup is all that is left. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-backup-"));
  dump = join(folder, "backup.gz");
  database = await freshDatabase();
  restored = await freshDatabase({ empty: true });
  await noticeRestore(database, database.log);
  swap = await FaultySwap.over(database);
  await swap.open();
  swap.pay();
  await swap.testEngine.switches.stop(stop);
  await swap.blocks(4);
  await writeBackup(database, dump);
  await swap.testEngine.switches.release(stop);
  await swap.blocks(6);
  expect(swap.paid()).toEqual([FULL]);
  await restoreBackup(restored, dump);
  after = await createTestEngine({ database: restored, reader: swap.chain, wallet: swap.chain });
  await after.switches.release(stop);
});
afterEach(async () => {
  await Promise.all([database.drop(), restored.drop()]);
  await rm(folder, { recursive: true });
});

const goOn = async (blocks = 6) => {
  for (let mined = 0; mined < blocks; mined += 1) {
    swap.chain.mine();
    await makeDue(restored, "orders", "payouts");
    await after.settle();
  }
};
const takesFrom = (network: string) =>
  database.pool.query(
    "update orders set snapshot = jsonb_set(snapshot, '{terms,from,networkTitle}', to_jsonb($1::text)) where id = $2",
    [network, swap.order.orderId],
  );
const info = () => after.engine.orderService.info(swap.order.orderId, "destination");

it("makes no payment again that was made after the backup", async () => {
  // Before anything was read from the chain: the rows alone say that the payment is due.
  await after.engine.runPayouts("ETH");
  await goOn();
  expect(swap.paid()).toEqual([FULL]);
  const [unknown, ...others] = await listUnknownPayments(restored);
  expect(others).toEqual([]);
  expect(unknown).toMatchObject({
    network: "ETH",
    pays: [{ to: "destination", slug: "usdt-erc20", amount: FULL.toString() }],
  });
});

it("pays nothing for an order that an unknown payment on another network may have paid", async () => {
  // Such as its payout, where the backup still has the choice of a refund.
  await database.pool.query(
    `insert into unknown_payments (network, tx_id, height, pays, found_at)
     values ('TRX', 'abc', 7, '[{"to":"destination","slug":"usdt-trc20","amount":"12"}]', now())`,
  );
  await swap.open();
  swap.pay();
  await swap.blocks(6);
  expect(swap.paid()).toEqual([FULL]);
  await inTransaction(database, (transaction) =>
    dismissUnknownPayment(transaction, { network: "TRX", txId: "abc", at: new Date() }, swap.testEngine.catalogue),
  );
  await swap.blocks(6);
  expect(swap.paid()).toEqual([FULL, FULL]);
});

it("signs nothing for an order one of whose networks is not read since the restore, until it is or an operator says so", async () => {
  await swap.testEngine.switches.stop(stop);
  await swap.open();
  swap.pay();
  await swap.blocks(6);
  await database.pool.query(
    "insert into followed_networks (network, first_height, unread_since) values ('TRX', 7, now())",
  );
  await takesFrom("TRX");
  await swap.testEngine.switches.release(stop);
  await swap.blocks(6);
  expect(swap.paid()).toEqual([FULL]);
  expect((await listHeld(database)).map(({ subject }) => subject)).toEqual(["network TRX"]);
  await runNetworkCommand(database, ["skip-reading", "TRX", "gone", "--as", "ann"]);
  await swap.blocks(6);
  expect(swap.paid()).toEqual([FULL, FULL]);
  expect(await listHeld(database)).toEqual([]);
});

it("lets what returns a deposit wait with the payments of its order", async () => {
  const { id: depositId } = await database.kysely.selectFrom("deposits").select("id").executeTakeFirstOrThrow();
  const refund = { network: "XRP", orderId: null, depositId, exchangeId: null };
  expect(await unknownPaymentStop(database, refund)).toBeNull();
  await takesFrom("TRX");
  await database.pool.query(
    "insert into followed_networks (network, first_height, unread_since) values ('TRX', 7, now())",
  );
  expect(await unknownPaymentStop(database, refund)).toMatch("TRX is not read to its tip");
  expect(await unknownPaymentStop(database, { ...refund, depositId: null })).toBeNull();
});

it("reads each network to its tip before it signs anything for its orders", async () => {
  expect(await noticeRestore(restored, restored.log)).toBe(true);
  const unread = async () => (await listHeld(restored)).filter(({ subject }) => subject === "network ETH").length;
  expect(await unread()).toBe(1);
  await after.engine.runPayouts("ETH");
  expect((await restored.kysely.selectFrom("payout_attempts").select("tx_id").execute()).length).toBe(0);
  await goOn(1);
  expect(await unread()).toBe(0);
});

it("takes no node that lags for one at its tip: its newest block is too old for the network to stand still", async () => {
  await noticeRestore(restored, restored.log);
  // The node has none of the blocks since the backup, which show that the order was paid.
  const lacking = swap.chain.blocks.splice(-6);
  let minedAt = Date.now() - 1_000_000;
  const head = swap.chain.head.bind(swap.chain);
  swap.chain.head = async () => ({ ...(await head()), minedAt });
  await goOn(3);
  expect(swap.paid()).toEqual([]);
  expect((await listHeld(restored)).map(({ subject }) => subject)).toContain("network ETH");
  swap.chain.blocks.splice(-3, 3, ...lacking);
  minedAt = Date.now();
  await goOn();
  expect(await listUnknownPayments(restored)).toHaveLength(1);
  expect(swap.paid()).toEqual([FULL]);
});

it("goes on once an operator has said which payment it was", async () => {
  await goOn();
  const [unknown] = await listUnknownPayments(restored);
  const payout = await restored.kysely.selectFrom("payouts").select("id").executeTakeFirstOrThrow();
  await inTransaction(restored, (transaction) =>
    bookUnknownPayment(
      transaction,
      { network: "ETH", txId: unknown?.txId ?? "", payoutId: payout.id, at: new Date() },
      correctPayment,
    ),
  );
  await goOn();
  expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED", withdrawals: [{ txId: unknown?.txId }] });
  expect(swap.paid()).toEqual([FULL]);
  expect(await listUnknownPayments(restored)).toEqual([]);
});

it("pays what it owes once an operator has said that the payment was made outside", async () => {
  await goOn();
  const [unknown] = await listUnknownPayments(restored);
  await inTransaction(restored, (transaction) =>
    dismissUnknownPayment(
      transaction,
      { network: "ETH", txId: unknown?.txId ?? "", at: new Date(), paysAgain: true },
      after.catalogue,
    ),
  );
  await goOn();
  expect(swap.paid()).toEqual([FULL, FULL]);
});

it("refuses to book a payment as one that it isn't", async () => {
  await goOn();
  const [unknown] = await listUnknownPayments(restored);
  await restored.kysely.updateTable("payouts").set({ to_address: "elsewhere" }).execute();
  const payout = await restored.kysely.selectFrom("payouts").select("id").executeTakeFirstOrThrow();
  const named = { network: "ETH", txId: unknown?.txId ?? "", payoutId: payout.id, at: new Date() };
  await expect(
    inTransaction(restored, (transaction) => bookUnknownPayment(transaction, named, correctPayment)),
  ).rejects.toThrow("does not pay what payment");
});

const admin = (text: string) => runRecoveryCommand(restored, after.catalogue, text.split(" "), correctPayment);
const payoutId = async () =>
  (await restored.kysely.selectFrom("payouts").select("id").executeTakeFirstOrThrow()).id.toString();

it("books no payment as two transactions", async () => {
  await goOn();
  const [unknown] = await listUnknownPayments(restored);
  await admin(`unknown-payment book ETH ${unknown?.txId} ${await payoutId()} the first --as ann`);
  await restored.pool.query(
    `insert into unknown_payments (network, tx_id, height, pays, found_at)
     select network, 'another', height, pays, now() from unknown_payments`,
  );
  await expect(admin(`unknown-payment book ETH another ${await payoutId()} the second --as ann`)).rejects.toThrow(
    "no payment is two transactions",
  );
  expect(await listUnknownPayments(restored)).toMatchObject([{ txId: "another" }]);
});

describe.each([
  ["before its engine had seen it in a block", "broadcast"],
  ["after its engine had seen it in a block", "mined"],
  ["after it was final", "final"],
])("a booked payment that a reorganisation took %s", (_, was) => {
  let txId: string;
  let taken: FakeChain["pending"];
  let unbook: string;
  let dismiss: string;

  beforeEach(async () => {
    await goOn(was === "mined" ? 1 : 6);
    txId = (await listUnknownPayments(restored))[0]?.txId ?? "";
    unbook = `unknown-payment unbook ETH ${txId} it is gone --as ann`;
    dismiss = `unknown-payment dismiss ETH ${txId} gone for good --as ann --pays-again`;
    await admin(`unknown-payment book ETH ${txId} ${await payoutId()} the one --as ann`);
    await expect(admin(unbook)).rejects.toThrow("does not wait for a booked transaction");
    if (was === "mined") await after.settle();
    if (was === "final") await goOn(8);
    const { state } = await restored.kysely.selectFrom("payouts").select("state").executeTakeFirstOrThrow();
    expect(state).toBe(was);
    const { blocks } = swap.chain;
    const at = blocks.findIndex(({ transactions }) => transactions.some((one) => one.txId === txId));
    taken = blocks[at]?.transactions ?? [];
    swap.chain.reorg(blocks.length - at);
    await goOn(2);
    expect(swap.paid()).toEqual([]);
    await restored.kysely
      .updateTable("payouts")
      .set({ replace_at: new Date(0) })
      .execute();
    await goOn(1);
    expect((await listHeld(restored)).map(({ reason }) => reason)).toEqual(["booked_and_gone"]);
  });

  const unbooked = async () => {
    await admin(unbook);
    await goOn();
    expect(swap.paid()).toEqual([]);
  };

  /** The node keeps it in its mempool, and no block takes it. */
  const showPending = () => {
    const mine = swap.chain.mine.bind(swap.chain);
    const { pending } = swap.chain;
    swap.chain.mine = (count) => {
      const kept = pending.filter((one) => one.txId === txId);
      swap.chain.evict(txId);
      mine(count);
      pending.push(...kept);
    };
    pending.push(...taken);
  };

  it("is not unbooked once the follower has read a block that has it again", async () => {
    swap.chain.pending.push(...taken);
    swap.chain.mine();
    for (const follower of after.engine.followers.values()) while (await follower.turn());
    expect((await listHeld(restored)).map(({ reason }) => reason)).toEqual(["booked_and_gone"]);
    await expect(admin(unbook)).rejects.toThrow(/Block \d+ has .* again/);
    await goOn(8);
    expect([swap.paid(), await listHeld(restored)]).toEqual([[FULL], []]);
    expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED" });
  });

  it("is not unbooked while a node shows it again", async () => {
    showPending();
    for (const follower of after.engine.followers.values()) while (await follower.turn());
    await expect(admin(unbook)).rejects.toThrow("A node shows");
    await goOn(1);
    expect(await listHeld(restored)).toEqual([]);
    await expect(admin(unbook)).rejects.toThrow("does not wait for a booked transaction");
  });

  it("is not given up once it is unbooked while a node shows it again, or no worker asks one", async () => {
    await unbooked();
    await restored.pool.query("update unknown_payments set absent_at = absent_at - interval '6 minutes'");
    await expect(admin(`${dismiss} --gone`)).rejects.toThrow("no worker has asked");
    showPending();
    await goOn(1);
    await expect(admin(`${dismiss} --gone`)).rejects.toThrow("A node shows");
    swap.chain.evict(txId);
    await goOn(1);
    await admin(`${dismiss} --gone`);
  });

  it("is led on by an operator, who says that it can never come back", async () => {
    await unbooked();
    const id = await payoutId();
    await expect(admin(dismiss)).rejects.toThrow(`was booked as payment ${id}`);
    await admin(`${dismiss} --gone`);
    await goOn(14);
    expect(swap.paid()).toEqual([FULL]);
    expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED" });
  });

  it("is booked once more where a block has it again, and never paid anew", async () => {
    await unbooked();
    swap.chain.pending.push(...taken);
    await goOn(2);
    expect(swap.paid()).toEqual([FULL]);
    await expect(admin(`${dismiss} --gone`)).rejects.toThrow(/Block \d+ has .* again/);
    await admin(`unknown-payment book ETH ${txId} ${await payoutId()} it came back --as ann`);
    await goOn(8);
    expect(swap.paid()).toEqual([FULL]);
    expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED" });
  });
});

const refundInstead = () =>
  refundInsteadOfPayout(restored, { name: "bob", reason: "unpaid" }, 1n, { address: "back", memo: null });
const undecided = async () => (await listUnknownPayments(restored))[0]?.txId ?? "";
/** What a restore finds only now. */
const hide = (isHidden: boolean) =>
  restored.pool.query(
    isHidden
      ? "update unknown_payments set decision = 'not ours', decided_at = now() where decision is null"
      : "update unknown_payments set decision = null, decided_at = null where decision = 'not ours'",
  );

it("sends nothing back for a payment that an undecided one has made exactly", async () => {
  await goOn();
  const txId = await undecided();
  await expect(refundInstead()).rejects.toThrow(`${txId} has paid just what payment 1 owes`);
  await admin(`unknown-payment book ETH ${txId} 1 it is --as ann`);
  await goOn(8);
  expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED" });
  expect([swap.paid(), swap.chain.received("back", "eth")]).toEqual([[FULL], []]);
});

describe("a refund that was asked for before that one was found", () => {
  const asked = () =>
    restored.kysely.selectFrom("payouts").select(["purpose", "refund_requested_at as at"]).executeTakeFirstOrThrow();

  beforeEach(async () => {
    await goOn();
    await restored.kysely.updateTable("payouts").set({ state: "review", review_reason: "large_payment" }).execute();
    await hide(true);
    await refundInstead();
    await hide(false);
  });

  it("waits until that is decided, and is given up once it is booked", async () => {
    await goOn();
    expect(await asked()).toEqual({ purpose: "payout", at: expect.any(Date) });
    await admin(`unknown-payment book ETH ${await undecided()} 1 it is --as ann`);
    expect(await asked()).toEqual({ purpose: "payout", at: null });
    await goOn(8);
    expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED" });
    expect(swap.chain.received("back", "eth")).toEqual([]);
  });

  it("is held where it was made although a block has what its payment was booked as before", async () => {
    await after.switches.stop(stop);
    await hide(true);
    await goOn(1);
    await hide(false);
    await restored.pool.query("update unknown_payments set unbooked_payout_id = 1");
    await after.switches.release(stop);
    await goOn(2);
    expect(await info()).toMatchObject({ status: "REFUND_REQUESTED" });
    const txId = await undecided();
    await expect(admin(`unknown-payment book ETH ${txId} 1 it came back --as ann`)).rejects.toThrow("does not pay");
    const dismiss = `unknown-payment dismiss ETH ${txId} paid already --as ann`;
    await expect(admin(dismiss)).rejects.toThrow("--pays-again");
    expect(await admin(`${dismiss} --pays-again`)).toContain(
      "Payment 1, which would refund the order that it has paid, is held",
    );
    await goOn(8);
    expect((await listHeld(restored)).map(({ reason }) => reason)).toContain("recipient_paid");
    expect([swap.paid(), swap.chain.received("back", "eth")]).toEqual([[FULL], []]);
    expect(await listUnknownPayments(restored)).toEqual([]);
  });

  it("is made once that was made outside", async () => {
    await admin(`unknown-payment dismiss ETH ${await undecided()} outside --as ann --pays-again`);
    await goOn(12);
    expect(await info()).toMatchObject({ status: "REFUND_COMPLETED" });
    expect([swap.paid(), swap.chain.received("back", "eth")]).toEqual([[FULL], [expect.any(BigInt)]]);
  });
});

it("an order whose payment was booked with another amount gets its amount back, once that is gone", async () => {
  await goOn();
  const txId = (await listUnknownPayments(restored))[0]?.txId ?? "";
  await restored.pool.query("update unknown_payments set pays = jsonb_set(pays, '{0,amount}', '\"1391500000\"')");
  await admin(`unknown-payment book ETH ${txId} ${await payoutId()} the one --as ann`);
  expect(await info()).toMatchObject({ amountToGet: "1391.5" });
  const { blocks } = swap.chain;
  swap.chain.reorg(
    blocks.length - blocks.findIndex(({ transactions }) => transactions.some((one) => one.txId === txId)),
  );
  await goOn(2);
  const due = { replace_at: new Date(0) };
  await restored.kysely.updateTable("payouts").set(due).execute();
  await goOn(1);
  await admin(`unknown-payment unbook ETH ${txId} it is gone --as ann`);
  expect(await info()).toMatchObject({ amountToGet: "1491.5" });
  await admin(`unknown-payment dismiss ETH ${txId} gone --as ann --pays-again --gone`);
  await goOn(14);
  expect([swap.paid(), await rowViolations(restored)]).toEqual([[FULL], []]);
  expect(await info()).toMatchObject({ status: "WITHDRAWAL_COMPLETED", amountToGet: "1491.5" });
  const { rows } = await restored.pool.query("select balance from ledger_accounts where name = 'customers'");
  expect(rows.every(({ balance }) => balance === 0n)).toBe(true);
});

it("assigns no deposit address twice: those since the backup are skipped", async () => {
  const before = await swap.open();
  expect(await noticeRestore(restored, restored.log)).toBe(true);
  expect(await noticeRestore(restored, restored.log)).toBe(false);
  const again = await createTestEngine({ database: restored, reader: swap.chain, wallet: swap.chain });
  const { depositAddress } = await again.engine.orderService.create(orderBody(), { key: "t", traceId: "t" });
  const indexOf = (address: string) => Number(address.split("-")[1]);
  expect(indexOf(depositAddress)).toBeGreaterThan(indexOf(before.depositAddress) + 5_000);
});
