import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { restoreBackup, writeBackup } from "../../server/db/backup/backup.ts";
import { noticeRestore } from "../../server/db/backup/restored.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import type { RecentPayment } from "../../server/chains/port.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { bookUnknownPayment } from "../../server/treasury/payouts/decide-unknown.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { makeDue } from "../support/database/due-rows.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";
import { createTestEngine, type TestEngine } from "../support/scenarios/test-engine.ts";

const FULL = 1_491_500_000n;
const stop = { action: "pay", scope: "ETH", direction: "both", reason: "a test" } as const;

let folder: string;
let database: TestDatabase;
let restored: TestDatabase;
let swap: FaultySwap;
let after: TestEngine;
/** Whether the node shows what waits in its mempool, or counts it only. */
let isShown: boolean;
/** Whether it shows of them what a handle holds. */
let showsHandles: boolean;

/** After the backup two payments are signed that no block takes: one that no row will make again, and behind it that of an order. */
beforeEach(async () => {
  isShown = true;
  showsHandles = false;
  folder = await mkdtemp(join(tmpdir(), "wherry-backup-"));
  const dump = join(folder, "backup.gz");
  database = await freshDatabase();
  restored = await freshDatabase({ empty: true });
  await noticeRestore(database, database.log);
  swap = await FaultySwap.over(database);
  const { chain } = swap;
  Object.assign(chain, {
    recentPayments: async (): Promise<RecentPayment[]> =>
      chain.pending.flatMap(({ from, txId, nonce, transfers }) => {
        if (from !== "hot") return [];
        const pays = transfers.map(({ toAddress: to, slug, amount }) => ({ to, slug, amount }));
        return [
          {
            txId: isShown ? txId : null,
            height: null,
            key: `hot:${nonce}`,
            ...(isShown && { pays }),
            ...(showsHandles && { data: { nonce } }),
          },
        ];
      }),
  });
  await swap.open();
  swap.pay();
  await swap.testEngine.switches.stop(stop);
  await swap.blocks(4);
  await writeBackup(database, dump);
  chain.spendOutside([{ outputIndex: -1, toAddress: "elsewhere", slug: "eth", amount: 7n }]);
  const [first] = chain.pending.splice(0);
  if (first === undefined) throw new Error("no first payment waits");
  await swap.testEngine.switches.release(stop);
  await swap.settle();
  expect(chain.pending).toHaveLength(1);
  Object.assign(chain.pending[0] ?? {}, { nonce: 1 });
  chain.pending.unshift({ ...first, fee: 21n });
  chain.marketFee = 100n;
  await restoreBackup(restored, dump);
  await noticeRestore(restored, restored.log);
  after = await createTestEngine({ database: restored, reader: chain, wallet: chain });
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
const attempts = () => restored.kysely.selectFrom("payout_attempts").select("tx_id").execute();
const isWaiting = async () => (await listHeld(restored)).find(({ subject }) => subject === "network ETH");
const feesFall = async () => {
  swap.chain.marketFee = 21n;
  await goOn();
};

it("signs nothing on the nonce of a payment that waits in the mempool: the one behind it would be made twice", async () => {
  await goOn();
  expect(await attempts()).toEqual([]);
  expect((await isWaiting())?.details.at(-1)?.text).toMatch(/mempool has payments .* \(hot:0, hot:1\)/);
  expect(await listUnknownPayments(restored)).toMatchObject([
    { height: null, pays: [{ to: "elsewhere" }], mayBe: [] },
    { height: null, pays: [{ to: "destination", amount: FULL.toString() }], mayBe: [{ isSame: true }] },
  ]);
  await feesFall();
  expect(await isWaiting()).toBeUndefined();
  expect(await attempts()).toEqual([]);
  expect(swap.paid()).toEqual([FULL]);
  expect((await listUnknownPayments(restored)).map(({ height }) => typeof height)).toEqual(["number", "number"]);
});

it("waits as long where its node only counts what waits", async () => {
  isShown = false;
  await goOn();
  expect(await attempts()).toEqual([]);
  expect(await isWaiting()).toBeDefined();
  await feesFall();
  expect(await isWaiting()).toBeUndefined();
  expect(await listUnknownPayments(restored)).toHaveLength(2);
  expect(swap.paid()).toEqual([FULL]);
});

it("signs beside what waits neither before nor after it was booked, and goes on once it is mined", async () => {
  await goOn(2);
  const [other, own] = await listUnknownPayments(restored);
  const { id: payoutId } = await restored.kysely.selectFrom("payouts").select("id").executeTakeFirstOrThrow();
  const named = { network: "ETH", txId: own?.txId ?? "", payoutId, at: new Date() };
  await inTransaction(restored, (transaction) => bookUnknownPayment(transaction, named, correctPayment));
  await restored.pool.query("update unknown_payments set decision = 'not ours', decided_at = now() where tx_id = $1", [
    other?.txId,
  ]);
  await goOn(2);
  expect((await isWaiting())?.details.at(-1)?.text).toMatch(/\(hot:1\)/);
  await feesFall();
  expect(await isWaiting()).toBeUndefined();
  expect(await attempts()).toEqual([{ tx_id: own?.txId }]);
  expect(swap.paid()).toEqual([FULL]);
});

it("leads on what is booked and waits behind a missing nonce, by an empty payment below it, and signs what is due above it", async () => {
  const { chain } = swap;
  chain.marketFee = 21n;
  chain.evict(chain.pending[0]?.txId ?? "");
  showsHandles = true;
  await goOn(2);
  const [own] = await listUnknownPayments(restored);
  const { id: payoutId } = await restored.kysely.selectFrom("payouts").select("id").executeTakeFirstOrThrow();
  const named = { network: "ETH", txId: own?.txId ?? "", payoutId, at: new Date() };
  await inTransaction(restored, (transaction) => bookUnknownPayment(transaction, named, correctPayment));
  await goOn(2);
  expect(await isWaiting()).toBeUndefined();
  expect(swap.paid()).toEqual([]);
  await restored.kysely
    .updateTable("payouts")
    .set({ replace_at: new Date(0) })
    .execute();
  await goOn(1);
  expect((await listHeld(restored)).map(({ reason }) => reason)).toEqual(["nonce_gap"]);
  await goOn(14);
  expect(swap.paid()).toEqual([FULL]);
  expect(await attempts()).toEqual([{ tx_id: own?.txId }]);
  expect(await listHeld(restored)).toEqual([]);
});

it("reads the mempool before an order is paid on another network that this one may have refunded", async () => {
  await after.engine.followers.get("ETH")?.turn();
  expect((await listUnknownPayments(restored)).map(({ height }) => height)).toEqual([null, null]);
});

it("signs nothing beside a payment that waits there and that only an operator's seed phrase can have made, without any restore", async () => {
  await goOn();
  await feesFall();
  await restored.pool.query("update unknown_payments set decision = 'not ours', decided_at = now()");
  isShown = false;
  swap.chain.marketFee = 100n;
  swap.chain.spendOutside([{ outputIndex: -1, toAddress: "elsewhere", slug: "eth", amount: 7n }]);
  Object.assign(swap.chain.pending[0] ?? {}, { fee: 21n });
  await goOn(3);
  expect((await isWaiting())?.reason).toBe("its mempool speaks against payments");
  expect(await attempts()).toEqual([]);
  swap.chain.evict(swap.chain.pending[0]?.txId ?? "");
  await goOn(2);
  expect(await isWaiting()).toBeUndefined();
  expect(await attempts()).toHaveLength(1);
});
