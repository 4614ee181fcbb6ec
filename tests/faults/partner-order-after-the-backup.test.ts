import { afterEach, beforeEach, expect, it } from "vitest";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { refundInsteadOfPayout, releasePayout, retryPayout } from "../../server/treasury/operator/payouts.ts";
import { RestoredPartner } from "../support/scenarios/restored-partner.ts";
import { askForRefund } from "../support/scenarios/test-engine.ts";

const OPERATOR = { name: "ann", reason: "refunded before the restore" };
const REFUND = { address: "refund", memo: null };

let given: RestoredPartner;
let unknown: string;

/** An order that a partner fills; it was refunded after the backup, which is all that is left. */
beforeEach(async () => {
  given = await RestoredPartner.open();
  const order = await given.order();
  await given.pass(1);
  await given.restoredAfter(async () => {
    await askForRefund(given.engine, order, REFUND.address);
    await given.pass(8);
  });
  expect(received()).toEqual({ refunded: 1, paid: 0 });
  unknown = await given.unknown();
});
afterEach(() => given.close());

const received = () => ({
  refunded: given.scenario.chain.received(REFUND.address, "eth").length,
  paid: given.delivered().length,
});
const refund = () => refundInsteadOfPayout(given.own, OPERATOR, 1n, REFUND);

it("an order of a partner that was refunded after the backup becomes a refund while its exchange was not opened", async () => {
  await refund();
  await given.pass(2);
  await given.recovery(`unknown-payment book ETH ${unknown} 1 its refund --as ann`);
  await given.pass(8);
  expect(received()).toEqual({ refunded: 1, paid: 0 });
  expect(await given.status()).toBe("REFUND_COMPLETED");
  const { rows } = await given.database.pool.query("select state from partner_exchanges");
  expect(rows).toEqual([{ state: "abandoned" }]);
  expect(await listHeld(given.own)).toEqual([]);
});

it("what a partner is to pay is signed by nobody else, whatever is said of it", async () => {
  await expect(retryPayout(given.own, OPERATOR, 1n)).rejects.toThrow("A partner makes payment 1");
  await expect(releasePayout(given.own, OPERATOR, 1n)).rejects.toThrow("A partner makes payment 1");
  await given.recovery(`unknown-payment dismiss ETH ${unknown} another order --pays-again --adjusted --as ann`);
  await given.database.pool.query("update payouts set next_attempt_at = now() where route = 'partner'");
  await given.pass(20);
  expect(received().paid).toBe(1);
});

it("is no refund any more once its exchange is open", async () => {
  await refund();
  // It is begun before the order is looked at.
  await given.database.pool.query("update partner_exchanges set state = 'review', reason = 'a test'");
  await given.pass(1);
  const rows = async () =>
    (await given.database.pool.query("select state, review_reason, refund_requested_at from payouts where id = 1"))
      .rows;
  expect(await rows()).toEqual([{ state: "intended", review_reason: null, refund_requested_at: null }]);
  await given.database.pool.query(
    "update partner_exchanges set state = 'intended', reason = null, next_attempt_at = now()",
  );
  await given.recovery(`unknown-payment dismiss ETH ${unknown} another order --pays-again --adjusted --as ann`);
  await given.pass(20);
  await expect(refund()).rejects.toThrow("A partner makes payment 1");
  expect(received().paid).toBe(1);
});
