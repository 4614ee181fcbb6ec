import { afterEach, beforeEach, expect, it } from "vitest";
import { runExchangeCommand } from "../../server/liquidity/operator.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { refundInsteadOfPayout } from "../../server/treasury/operator/payouts.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { HiddenChain } from "../support/chains/hidden-chain.ts";
import { RestoredPartner } from "../support/scenarios/restored-partner.ts";

const OPERATOR = { name: "ann", reason: "it was delivered" };

let chain: HiddenChain;
let given: RestoredPartner;

beforeEach(async () => {
  chain = new HiddenChain();
  given = await RestoredPartner.open(chain);
});
afterEach(() => given.close());

/** An order whose exchange at a partner was opened, paid and delivered after the backup, by a chain that hides whom payments pay. */
async function filledAfterTheBackup(): Promise<string> {
  await given.order();
  await given.pass(1);
  await given.restoredAfter(() => given.pass(10));
  expect(given.delivered()).toHaveLength(1);
  const [unknown] = await listUnknownPayments(given.own);
  expect(unknown?.pays).toBeNull();
  return unknown?.txId ?? "";
}

const refund = (isUnfunded?: boolean) =>
  refundInsteadOfPayout(given.own, OPERATOR, 1n, { address: "refund", memo: null }, { isUnfunded });
const partner = () => given.scenario.changeNow.exchanges[0];
const adopt = (txId: string, more = "") =>
  runExchangeCommand(
    given.own,
    `exchange adopt 1 ${txId} ${partner()?.id} it was --as ann${more}`.split(" "),
    given.scenario.adapters(),
  );
async function isDone(): Promise<void> {
  await given.pass(20);
  expect(await given.status()).toBe("WITHDRAWAL_COMPLETED");
  expect(given.delivered()).toHaveLength(1);
  expect(given.scenario.payments()).toMatchObject([{ partner: "changenow", paid: [expect.any(BigInt)] }]);
  expect(await listHeld(given.own)).toEqual([]);
  expect(await given.scenario.violations()).toEqual([]);
}

it.each([true, false])(
  "an exchange that was paid by a hidden payment is named, not dismissed or refunded, and adopted (amount known: %s)",
  async (tellsAmounts) => {
    chain.tellsAmounts = tellsAmounts;
    const txId = await filledAfterTheBackup();
    const named = `"exchange adopt 1 ${txId} ID-AT-CHANGENOW REASON --as NAME --to ADDRESS"`;
    expect(await given.recovery("unknown-payments")).toContain(named);
    await expect(given.recovery(`unknown-payment dismiss ETH ${txId} outside --as ann`)).rejects.toThrow(named);
    await expect(refund()).rejects.toThrow(named);
    await expect(adopt(txId)).rejects.toThrow("--to ADDRESS");
    await adopt(txId, ` --to ${partner()?.deposit.address}`);
    await isDone();
  },
);

it("an exchange that is to be paid another amount than has left is not named, and its order all the same", async () => {
  const txId = await filledAfterTheBackup();
  await given.database.pool.query("update partner_exchanges set amount = amount + 1");
  await expect(given.recovery(`unknown-payment dismiss ETH ${txId} outside --as ann`)).rejects.toThrow(
    `order ${given.scenario.orderId}`,
  );
  expect(await given.recovery("unknown-payments")).not.toContain("exchange adopt");
  await expect(adopt(txId, ` --to ${partner()?.deposit.address}`)).rejects.toThrow("does not pay just what");
});

it("an order whose hidden payment was its refund is refunded where the operator says that no partner got it", async () => {
  const txId = await filledAfterTheBackup();
  await expect(refund()).rejects.toThrow("--unfunded");
  await refund(true);
  await given.pass(2);
  expect(chain.received("refund", "eth")).toEqual([]);
  expect(await given.recovery("unknown-payments")).toContain("may be payment 1 of order");
  await given.recovery(`unknown-payment book ETH ${txId} 1 its refund --as ann`);
  await given.pass(8);
  expect(chain.received("refund", "eth")).toEqual([]);
  expect(await listHeld(given.own)).toEqual([]);
});
