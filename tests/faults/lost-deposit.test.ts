import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PaymentRefusedError } from "../../server/chains/port.ts";
import { confirmPayout, releasePayout, retryPayout } from "../../server/treasury/operator/payouts.ts";
import { LitecoinSwap } from "../support/scenarios/litecoin-swap.ts";

const LITTLE = 10n ** 17n;
const PAY_LTC = { action: "pay", scope: "LTC", direction: "both" } as const;
const PAY_ETH = { action: "pay", scope: "ETH", direction: "both" } as const;
const by = (name: string) => ({ name, reason: "its deposit was looked for" });

let swap: LitecoinSwap;
beforeEach(async () => {
  swap = await LitecoinSwap.open();
});
afterEach(() => swap.close());

it("a large payment whose deposit is lost while two operators decide is not made by their decision", async () => {
  await swap.start({ approval: { aboveUsd: 100 } });
  await swap.pay();
  await swap.blocks(5);
  expect(await swap.heldPayments()).toEqual(["payout 1 large_payment"]);
  await swap.loseDeposit();
  await releasePayout(swap.own, by("ann"), 1n);
  await confirmPayout(swap.own, by("bob"), 1n);
  await swap.blocks(4);
  expect([swap.paid, await swap.heldPayments()]).toEqual([0, ["payout 1 deposit_gone"]]);
});

it("a payment that its destination refused is not signed anew without its deposit, unless an operator says so of that", async () => {
  swap.litecoin.failing.set("dest", new PaymentRefusedError("destination_reverts", "refused"));
  await swap.start();
  await swap.pay();
  await swap.blocks(5);
  await swap.loseDeposit();
  swap.litecoin.failing.clear();
  await retryPayout(swap.own, by("ann"), 1n);
  await swap.blocks(4);
  expect([swap.paid, await swap.heldPayments()]).toEqual([0, ["payout 1 deposit_gone"]]);
  await expect(releasePayout(swap.own, by("ann"), 1n)).rejects.toThrow('"payout retry 1" pays it without the deposit');
  await retryPayout(swap.own, by("ann"), 1n);
  await swap.blocks(4);
  expect([swap.paid, await swap.heldPayments()]).toEqual([1, []]);
});

it("a payment that waits for its deposit goes on by itself once the deposit is back", async () => {
  swap.litecoin.failing.set("dest", new PaymentRefusedError("destination_reverts", "refused"));
  await swap.start();
  await swap.pay();
  await swap.blocks(5);
  await swap.loseDeposit(true);
  swap.litecoin.failing.clear();
  await retryPayout(swap.own, by("ann"), 1n);
  await swap.engine.settle();
  expect([swap.paid, await swap.heldPayments()]).toEqual([0, ["payout 1 deposit_gone"]]);
  await swap.blocks(8);
  expect([swap.paid, await swap.heldPayments()]).toEqual([1, []]);
});

it("an order whose partner gives up after its deposit was lost is not paid from the treasury", async () => {
  await swap.startWithPartner();
  swap.ether.balances.set("eth", 0n);
  await swap.pay();
  await swap.blocks(4);
  await swap.loseDeposit();
  swap.exchange = { kind: "expired" };
  await swap.blocks(12);
  expect([swap.paid, swap.paidToPartner, await swap.heldPayments()]).toEqual([0, 0, ["payout 1 deposit_gone"]]);
});

it("a partner is not paid for an order whose deposit is lost, once the network's stop is ended", async () => {
  await swap.startWithPartner();
  swap.ether.balances.set("eth", 0n);
  await swap.pay();
  await swap.blocks(4);
  await swap.loseDeposit();
  swap.ether.balances.delete("eth");
  await swap.engine.switches.release(PAY_ETH);
  await swap.blocks(8);
  expect([swap.paid, swap.paidToPartner]).toEqual([0, 0]);
  expect(await swap.heldPayments()).toEqual(["payout 1 deposit_gone", "payout 2 deposit_gone"]);
});

it("an order that waited for a provider when its deposit was lost is not paid", async () => {
  await swap.startWithPartner();
  swap.ether.balances.set("eth", 0n);
  await swap.pay();
  await swap.blocks(3);
  swap.rates.partners.clear();
  swap.rates.prices.delete("ltc");
  swap.exchange = { kind: "expired" };
  await swap.blocks(2);
  await swap.loseDeposit();
  swap.rates.prices.set("ltc", 100n * 10n ** 18n);
  await swap.blocks(6);
  expect([swap.paid, await swap.heldPayments()]).toEqual([0, ["payout 1 deposit_gone"]]);
});

describe("a payment whose order was sent coins beside its deposit, which went back", () => {
  const deposits = async () =>
    (await swap.own.pool.query("select review_reason, returned_at is not null as returned from deposits order by id"))
      .rows;
  let second: string;
  beforeEach(async () => {
    await swap.start();
    await swap.engine.switches.stop({ ...PAY_LTC, reason: "a check" });
    const address = await swap.pay("back");
    await swap.blocks(6);
    second = swap.ether.deposit(address, "eth", LITTLE);
    await swap.blocks(6);
    expect(await deposits()).toEqual([
      { review_reason: null, returned: false },
      { review_reason: null, returned: true },
    ]);
  });

  it("is made where these alone are lost", async () => {
    await swap.loseDeposit();
    expect(await deposits()).toMatchObject([{ review_reason: null }, { review_reason: "gone_after_credit" }]);
    expect(await swap.heldPayments()).toEqual([]);
    await swap.engine.switches.release(PAY_LTC);
    await swap.blocks(4);
    expect(swap.paid).toBe(1);
  });

  it("goes on once its own deposit is back, though these are not", async () => {
    swap.ether.reorg(12, true);
    swap.ether.evict(second);
    await swap.engine.settle();
    expect(await swap.heldPayments()).toEqual(["payout 1 deposit_gone"]);
    await swap.blocks(6);
    expect(await deposits()).toMatchObject([{ review_reason: null }, { review_reason: "gone_after_credit" }]);
    await swap.engine.switches.release(PAY_LTC);
    await swap.blocks(4);
    expect([swap.paid, await swap.heldPayments()]).toEqual([1, []]);
  });
});
