import { afterEach, beforeEach, expect, it } from "vitest";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreSavedBackup, saveRows } from "../support/database/saved-rows.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { HALF_ETH } from "../support/scenarios/faulty-swap.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const TEN_MINUTES_MS = 600_000;
const USDC = { currencyTitle: "USDC", networkTitle: "ETH", slug: "usdc-erc20" };

let database: TestDatabase;
let chain: FakeChain;
let engine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
});
afterEach(() => database.drop());

async function start(now?: () => Date): Promise<void> {
  engine = await createTestEngine({ database, reader: chain, wallet: chain, ...(now && { now }) });
  await engine.settle();
}

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await timePasses(database);
    await engine.settle();
  }
}

async function pay(body: Parameters<typeof orderBody>[0] = {}): Promise<void> {
  const order = await engine.engine.orderService.create(orderBody(body), { key: "test", traceId: "test" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
}

/** The first payment has given nonce 0 back, as after a crash before its signature, and a second one has used it, and is final. */
async function payOnReturnedNonce(now?: () => Date): Promise<void> {
  chain.balances.set("usdt-erc20", 0n);
  await start(now);
  await pay();
  await blocks(4);
  await database.pool.query(
    `insert into payout_handles (network, key, payout_id, data) values ('ETH', 'hot:0', 1, '{"nonce":0}')`,
  );
  await blocks(1);
  await pay({ destinationAddress: "second", instrumentTo: USDC });
  await blocks(9);
  expect(await handles()).toEqual([
    { payout: 1n, key: "hot:0", isTaken: false },
    { payout: 2n, key: "hot:0", isTaken: true },
  ]);
}

const handles = async () =>
  (
    await database.pool.query(
      `select payout_id as payout, key, released_at is null or used_at is not null as "isTaken" from payout_handles order by id`,
    )
  ).rows;
const stateOf = async (id: bigint) =>
  (await database.kysely.selectFrom("payouts").select("state").where("id", "=", id).executeTakeFirst())?.state;
const paid = () => chain.received("destination", "usdt-erc20").length;

/** A reorganisation takes the block of the first payment, and everything above. Returns what the block had. */
function undo(): FakeChain["pending"] {
  const at = chain.blocks.findIndex(({ transactions }) =>
    transactions.some(({ transfers }) => transfers.some(({ toAddress }) => toAddress === "destination")),
  );
  const taken = chain.blocks[at]?.transactions ?? [];
  chain.reorg(chain.blocks.length - at);
  chain.mine();
  return taken;
}

it("a final payment whose block is undone keeps its own nonce, and not one that it had returned unsigned, however its clock goes", async () => {
  await payOnReturnedNonce(() => new Date(Date.now() - TEN_MINUTES_MS));
  chain.balances.delete("usdt-erc20");
  await blocks(6);
  expect([await stateOf(1n), paid()]).toEqual(["final", 1]);
  undo();
  await engine.settle();
  expect(await stateOf(1n)).toBe("mined");
  expect(await handles()).toEqual([
    { payout: 1n, key: "hot:0", isTaken: false },
    { payout: 2n, key: "hot:0", isTaken: true },
    { payout: 1n, key: "hot:1", isTaken: true },
  ]);
  await blocks(6);
  expect([await stateOf(1n), paid()]).toEqual(["final", 1]);
});

it("a final payment that was booked from a block, and is undone, takes no nonce, and its network is read on", async () => {
  await payOnReturnedNonce();
  const saved = await saveRows(database.url);
  chain.balances.delete("usdt-erc20");
  await blocks(4);
  expect(paid()).toBe(1);
  await restoreSavedBackup(database, saved);
  await start();
  await blocks(2);
  const txId = (await listUnknownPayments(database))[0]?.txId ?? "";
  const say = (text: string) => runRecoveryCommand(database, engine.catalogue, text.split(" "), correctPayment);
  await say(`unknown-payment book ETH ${txId} 1 it is --as ann`);
  await blocks(8);
  expect(await stateOf(1n)).toBe("final");
  const taken = undo();
  await engine.settle();
  expect([await stateOf(1n), await listHeld(database)]).toEqual(["mined", []]);
  const { rows } = await database.pool.query("select max(height) as read from chain_tail");
  expect(rows).toEqual([{ read: chain.tip.height }]);
  chain.pending.push(...taken);
  await blocks(6);
  expect([await stateOf(1n), paid()]).toEqual(["final", 1]);
});

it("a final payment that is undone, and whose coins another one has taken, goes on once a block has it again", async () => {
  await start();
  await pay();
  await pay({ destinationAddress: "second", instrumentTo: USDC });
  await blocks(9);
  expect([await stateOf(1n), await stateOf(2n)]).toEqual(["final", "final"]);
  // A wallet of Monero may leave outputs unspent that a payment had reserved.
  await database.pool.query("update payout_handles set data = '{}', used_at = null");
  const taken = undo();
  await database.pool.query(
    "insert into payout_handles (network, key, payout_id, data) select network, key, 2, data from payout_handles where payout_id = 1",
  );
  await engine.settle();
  expect((await listHeld(database)).map(({ subject, reason }) => [subject, reason])).toContainEqual([
    "payout 1",
    "undone_and_handle_taken",
  ]);
  chain.pending.push(...taken);
  await blocks(6);
  expect([await stateOf(1n), paid()]).toEqual(["final", 1]);
});
