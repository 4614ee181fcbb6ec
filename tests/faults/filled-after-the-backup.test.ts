import { afterEach, beforeEach, expect, it } from "vitest";
import { saveRows } from "../support/database/saved-rows.ts";
import { LitecoinSwap } from "../support/scenarios/litecoin-swap.ts";
import { askForRefund } from "../support/scenarios/test-engine.ts";

const REFUND = "refund";

let swap: LitecoinSwap;

beforeEach(async () => {
  swap = await LitecoinSwap.open();
});
afterEach(() => swap.close());

const order = async () => {
  const { rows } = await swap.database.pool.query<{ orderId: string }>(`select id as "orderId" from orders`);
  return { orderId: rows[0]?.orderId ?? "", destinationAddress: "dest" };
};
const refund = async () => askForRefund(swap.engine, await order(), REFUND);
/** The backup holds the order's deposit in its first block, and no exchange; the market has no price any more. */
async function filledAfterTheBackup(): Promise<void> {
  await swap.startWithPartner();
  await swap.pay();
  await swap.blocks(1);
  const saved = await saveRows(swap.database.url);
  await swap.blocks(5);
  const txId = swap.litecoin.deposit("dest", "ltc", 1_490_000_000n);
  swap.exchange = { kind: "finished", txId, amount: 1_490_000_000n };
  await swap.blocks(8);
  expect(swap.paidToPartner).toBe(1);
  await swap.restore(saved);
  swap.exchange = { kind: "waiting" };
  const partner = swap.withPartner();
  swap.rates.partners.clear();
  swap.rates.prices.delete("ltc");
  await swap.start(partner);
}

it("an order that a partner has filled after the backup is not refunded while what the partner was paid is undecided", async () => {
  await filledAfterTheBackup();
  await swap.blocks(6);
  await expect(refund()).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
  await swap.blocks(6);
  expect(swap.ether.received(REFUND, "eth")).toEqual([]);
});

it("an order that a partner may have filled after the backup is not refunded before the network that it was paid on is read", async () => {
  await filledAfterTheBackup();
  await swap.database.pool.query(
    "update followed_networks set unread_since = case when network = 'ETH' then now() end",
  );
  await swap.database.pool.query("delete from unknown_payments");
  await expect(refund()).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
  await swap.database.pool.query("update followed_networks set unread_since = null");
  await refund();
});
