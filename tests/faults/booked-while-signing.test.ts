import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { LitecoinSwap } from "../support/scenarios/litecoin-swap.ts";
import type { TestEngine } from "../support/scenarios/test-engine.ts";
import { whileSigning } from "../support/scenarios/while-signing.ts";

let swap: LitecoinSwap;
let other: Database;
let otherEngine: TestEngine;
let sent: string[];

beforeEach(async () => {
  swap = await LitecoinSwap.open();
  swap.ether.mine(8);
  other = swap.connect("another worker");
  await swap.start();
  otherEngine = await swap.another(other);
  sent = [];
  const broadcast = swap.litecoin.broadcast.bind(swap.litecoin);
  swap.litecoin.broadcast = (prepared) => {
    sent.push(prepared.raw);
    return broadcast(prepared);
  };
});
afterEach(async () => {
  await other.close();
  await swap.close();
});

/** Fees rise as soon as it is sent: no block takes it. */
async function payAndRaiseFees(): Promise<void> {
  const { broadcast } = swap.litecoin;
  swap.litecoin.broadcast = (prepared) => {
    swap.litecoin.marketFee *= 50n;
    swap.litecoin.broadcast = broadcast;
    return broadcast(prepared);
  };
  await swap.pay();
  await swap.blocks(6);
}
/** Another signer of the hot wallet pays what the newest payment owes, in a block that another worker reads. */
async function payOutside(): Promise<string> {
  const { rows } = await other.pool.query<{ amount: bigint }>("select amount from payouts order by id desc limit 1");
  const amount = rows[0]?.amount ?? 0n;
  const txId = swap.litecoin.spendOutside([{ outputIndex: -1, toAddress: "dest", slug: "ltc", amount }]);
  swap.litecoin.mine();
  await otherEngine.engine.followers.get("LTC")?.turn();
  return txId;
}
const book = (txId: string, payoutId: number) => {
  const command = `unknown-payment book LTC ${txId} ${payoutId} it is --as ann`.split(" ");
  return runRecoveryCommand(other, swap.engine.catalogue, command, correctPayment);
};
const handles = async () =>
  (
    await other.pool.query<{ text: string }>(
      "select payout_id || ' ' || key || case when used_at is not null then ' used' when released_at is not null then ' free' else '' end as text from payout_handles order by id",
    )
  ).rows.map(({ text }) => text);

it("a payment that is booked while it is signed gives back its nonce, which the next one takes, and nothing of it is sent", async () => {
  await payAndRaiseFees();
  expect(await handles()).toEqual(["1 hot:0"]);
  whileSigning(swap.litecoin, "dest", async () => {
    await book(await payOutside(), 2);
  });
  await swap.pay();
  await swap.blocks(14);
  expect(await handles()).toEqual(["1 hot:0 used", "2 hot:1 free"]);
  expect(sent).not.toContain("");

  swap.litecoin.marketFee /= 50n;
  await swap.pay();
  await swap.blocks(14);
  expect(await handles()).toEqual(["1 hot:0 used", "2 hot:1 free", "3 hot:1 used"]);
  expect(swap.paid).toBe(2);
});

it("a payment is not booked while an empty payment may take the nonce that it had reserved", async () => {
  await swap.engine.switches.stop({ action: "pay", scope: "LTC", direction: "both", reason: "a check" });
  await swap.pay();
  await swap.blocks(4);
  await other.pool.query(
    `insert into payout_handles (network, key, payout_id, data) select network, 'hot:1', id, '{"nonce":1}' from payouts`,
  );
  await other.pool.query(
    "insert into payout_cancellations (payout_id, n, network, tx_id, raw, status, prepared_at) select id, 1, network, 'empty', 'raw', 'prepared', now() from payouts",
  );
  const txId = await payOutside();
  await expect(book(txId, 1)).rejects.toThrow("An empty payment takes the nonce that payment 1 had reserved");
  await other.pool.query("update payout_cancellations set status = 'mined'");
  await book(txId, 1);
  expect(await handles()).toEqual(["1 hot:1 free"]);
});

it("a coin that a payment had signed for is free where the transaction that it was booked as has left it", async () => {
  await payAndRaiseFees();
  const txId = await payOutside();
  await swap.blocks(2);
  await book(txId, 1);
  // As on Bitcoin's family: its bytes spend two coins, and the other transaction one of them.
  await other.pool.query(`update payout_handles set data = '{"inputs":[]}'`);
  await other.pool.query(
    `insert into payout_handles (network, key, payout_id, data) select network, 'coin', id, '{"inputs":[]}' from payouts`,
  );
  await swap.blocks(14);
  const { rows } = await other.pool.query("select state from payouts");
  expect(rows).toEqual([{ state: "final" }]);
  expect(await handles()).toEqual(["1 hot:0 free", "1 coin free"]);
});
