import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Order } from "#contract/order.ts";
import { runExchangeCommand } from "../../server/liquidity/operator.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { refundInsteadOfPayout } from "../../server/treasury/operator/payouts.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import type { FakeChain } from "../support/chains/fake-chain.ts";
import { RestoredPartner } from "../support/scenarios/restored-partner.ts";

const OPERATOR = { name: "ann", reason: "it was delivered" };

let given: RestoredPartner;

beforeEach(async () => {
  given = await RestoredPartner.open();
});
afterEach(() => given.close());

/** An order that a partner filled after the backup, which is all that is left; its exchange was not paid yet then. */
async function filledAfterTheBackup(moment: "intended" | "opened"): Promise<string> {
  await given.order();
  if (moment === "opened") given.scenario.chain.balances.set("eth", 0n);
  await given.pass(moment === "intended" ? 1 : 4);
  await restoredAfterFunding();
  expect(given.delivered()).toHaveLength(1);
  return given.unknown();
}
const restoredAfterFunding = () =>
  given.restoredAfter(async () => {
    given.scenario.chain.balances.delete("eth");
    await given.pass(10);
  });

const exchange = (command: string, partners = given.scenario.adapters()) =>
  runExchangeCommand(given.own, `exchange ${command}`.split(" "), partners);
const partnerId = () => given.scenario.changeNow.exchanges[0]?.id ?? "";
/** Longer than an exchange may stay unpaid. */
const longAfter = async () => {
  await given.database.pool.query("update partner_exchanges set opened_at = opened_at - interval '2 hours'");
  await given.pass(20);
};
async function isDone(): Promise<void> {
  expect(await given.status()).toBe("WITHDRAWAL_COMPLETED");
  expect(given.delivered()).toHaveLength(1);
  expect(given.scenario.payments()).toMatchObject([{ partner: "changenow", paid: [expect.any(BigInt)] }]);
  expect(await listHeld(given.own)).toEqual([]);
}

it("an exchange that was opened and paid after the backup is adopted, and its order ends with what it delivered", async () => {
  const txId = await filledAfterTheBackup("intended");
  const adopt = `"exchange adopt 1 ${txId} ID-AT-CHANGENOW`;
  expect(await given.recovery("unknown-payments")).toContain(adopt);
  await expect(given.recovery(`unknown-payment dismiss ETH ${txId} outside --as ann`)).rejects.toThrow(adopt);
  await expect(given.recovery(`unknown-payment book ETH ${txId} 1 it was --as ann`)).rejects.toThrow(adopt);
  await expect(refundInsteadOfPayout(given.own, OPERATOR, 1n, { address: "refund", memo: null })).rejects.toThrow(
    adopt,
  );
  expect(await exchange(`adopt 1 ${txId} ${partnerId()} it was --as ann`)).toContain("exchange 1: adopt");
  await longAfter();
  await isDone();
  const actions = given.database.kysely.selectFrom("operator_actions").select(["operator", "action", "subject"]);
  expect(await actions.execute()).toEqual([{ operator: "ann", action: "exchange adopt", subject: "exchange 1" }]);
  expect(await given.scenario.violations()).toEqual([]);
});

it("one whose opening is in the backup goes on once its payment is booked, however long ago it was opened", async () => {
  const txId = await filledAfterTheBackup("opened");
  await expect(exchange(`adopt 1 ${txId} ${partnerId()} it was --as ann`)).rejects.toThrow("is opened");
  await given.recovery(`unknown-payment book ETH ${txId} 2 it was --as ann`);
  await longAfter();
  await isDone();
  expect(await given.scenario.violations()).toEqual([]);
});

describe("the booked payment of an exchange that was adopted, which a reorganisation took and an operator unbooked,", () => {
  let txId: string;
  let taken: FakeChain["pending"];
  const exchanges = () => given.scenario.changeNow.exchanges;

  beforeEach(async () => {
    const { chain, partners } = given.scenario;
    await given.order();
    await given.pass(1);
    partners.changenow.behaviour = "stalls";
    await given.restoredAfter(() => given.pass(6));
    txId = await given.unknown();
    await exchange(`adopt 1 ${txId} ${partnerId()} it was --as ann`);
    const { blocks } = chain;
    const at = blocks.findIndex(({ transactions }) => transactions.some((one) => one.txId === txId));
    taken = blocks[at]?.transactions ?? [];
    chain.reorg(blocks.length - at);
    for (const one of exchanges()) one.status = "waiting";
    await given.pass(2);
    await given.database.pool.query("update payouts set replace_at = 'epoch' where replace_at is not null");
    await given.pass(2);
    await given.recovery(`unknown-payment unbook ETH ${txId} it is gone --as ann`);
    await given.pass(2);
    partners.changenow.behaviour = "delivers";
  });

  const stateOf = async (table: "partner_exchanges" | "payouts", id: bigint) =>
    (await given.own.kysely.selectFrom(table).select("state").where("id", "=", id).executeTakeFirst())?.state;
  const comesBack = async () => {
    given.scenario.chain.pending.push(...taken);
    await given.pass(4);
  };
  const dismiss = (more = "") =>
    given.recovery(`unknown-payment dismiss ETH ${txId} gone --as ann --pays-again --adjusted${more}`);

  it("is booked once more where a block has it again, however long after", async () => {
    await longAfter();
    expect(await stateOf("partner_exchanges", 1n)).toBe("opened");
    await comesBack();
    await given.recovery(`unknown-payment book ETH ${txId} 2 it came back --as ann`);
    await given.pass(20);
    await isDone();
    expect(await given.scenario.violations()).toEqual([]);
  });

  it("is not waited for once an operator says that it never comes back: its order goes elsewhere", async () => {
    await longAfter();
    for (const one of exchanges()) one.status = "expired";
    await given.pass(4);
    expect(await stateOf("partner_exchanges", 1n)).toBe("opened");
    await dismiss(" --gone");
    await given.pass(30);
    expect(await stateOf("partner_exchanges", 1n)).toBe("abandoned");
    expect(await given.status()).toBe("WITHDRAWAL_COMPLETED");
    expect(given.delivered()).toHaveLength(1);
    expect(given.scenario.payments()).toMatchObject([{ paid: [] }]);
    expect(await given.scenario.violations()).toEqual([]);
  });

  it("is dismissed where its exchange was abandoned all the same, which holds what its order would be paid once more", async () => {
    await given.database.pool.query("update partner_exchanges set state = 'abandoned', next_attempt_at = null");
    await given.database.pool.query("update payouts set state = 'returned', next_attempt_at = null where id = 2");
    await given.database.pool.query("update orders set next_attempt_at = now()");
    await given.pass(4);
    await comesBack();
    expect(given.delivered()).toHaveLength(1);
    await expect(given.recovery(`unknown-payment book ETH ${txId} 2 it is --as ann`)).rejects.toThrow("or is over");
    expect(await dismiss()).toContain("Payment 1, which would pay the order that its partner was paid for, is held");
    await given.pass(20);
    expect((await listHeld(given.own)).map(({ subject, reason }) => [subject, reason])).toContainEqual([
      "payout 1",
      "recipient_paid",
    ]);
    expect(given.delivered()).toHaveLength(1);
  });
});

it("nothing else is adopted", async () => {
  const txId = await filledAfterTheBackup("intended");
  await expect(exchange(`adopt 2 ${txId} ${partnerId()} it was --as ann`)).rejects.toThrow("no exchange 2");
  await expect(exchange(`adopt 1 ffff ${partnerId()} it was --as ann`)).rejects.toThrow("no undecided payment ffff");
  await expect(exchange(`adopt 1 ${txId} ${partnerId()} it was --as ann --to other`)).rejects.toThrow("pays changenow");
  await given.database.pool.query("update partner_exchanges set amount = amount + 1");
  await expect(exchange(`adopt 1 ${txId} ${partnerId()} it was --as ann`)).rejects.toThrow("does not pay just what");
  await given.database.pool.query("update partner_exchanges set amount = amount - 1");
  await exchange(`adopt 1 ${txId} ${partnerId()} it was --as ann`);
  await expect(exchange(`adopt 1 ${txId} ${partnerId()} it was --as bob`)).rejects.toThrow("is opened");
});

/** Two orders of one coin and amount that a partner filled after the backup, each for a customer of its own. */
async function bothFilledAfterTheBackup(): Promise<Order[]> {
  const orders = [await given.order("customer"), await given.order("second")];
  await given.pass(1);
  await restoredAfterFunding();
  return orders;
}
/** The transaction that paid the exchange of a customer, and its id at the partner. */
async function paidFor(destination: string): Promise<{ txId: string; id: string }> {
  const held = given.scenario.changeNow.exchanges.find((one) => one.destination.address === destination);
  const unknown = await listUnknownPayments(given.own);
  const paid = unknown.find(({ pays }) => pays?.some(({ to }) => to === held?.deposit.address));
  return { txId: paid?.txId ?? "", id: held?.id ?? "" };
}
const exchangeOf = async (order: Order | undefined): Promise<bigint> => {
  const exchanges = given.own.kysely
    .selectFrom("partner_exchanges")
    .select("id")
    .where("order_id", "=", order?.orderId ?? "");
  return (await exchanges.executeTakeFirstOrThrow()).id;
};

it("of two exchanges of one coin and amount each is adopted as its own customer's alone", async () => {
  const [first, second] = await bothFilledAfterTheBackup();
  const [mine, other] = [await paidFor("customer"), await paidFor("second")];
  const id = await exchangeOf(first);
  await expect(exchange(`adopt ${id} ${other.txId} ${other.id} it was --as ann`)).rejects.toThrow(
    `By changenow, ${other.id} pays second`,
  );
  await expect(exchange(`adopt ${id} ${mine.txId} ${other.id} it was --as ann --unconfirmed`)).rejects.toThrow(
    `By changenow, ${other.id} is paid at`,
  );
  await exchange(`adopt ${id} ${mine.txId} ${mine.id} it was --as ann`);
  await exchange(`adopt ${await exchangeOf(second)} ${other.txId} ${other.id} it was --as ann`);
  await longAfter();
  for (const [order, destination] of [
    [first, "customer"],
    [second, "second"],
  ] as const)
    expect(await given.status(order?.orderId, destination)).toBe("WITHDRAWAL_COMPLETED");
  expect(given.scenario.payments()).toMatchObject([{ paid: [expect.any(BigInt)] }, { paid: [expect.any(BigInt)] }]);
  expect(await listHeld(given.own)).toEqual([]);
});

it("nothing is adopted that its partner doesn't know", async () => {
  const txId = await filledAfterTheBackup("intended");
  await expect(exchange(`adopt 1 ${txId} exchange77 it was --as ann`)).rejects.toThrow(
    "changenow has no exchange exchange77",
  );
  await expect(exchange(`adopt 1 ${txId} ../77 it was --as ann --unconfirmed`)).rejects.toThrow("is no id");
});

it("where its partner can't be asked an exchange is adopted once its operator says so", async () => {
  const txId = await filledAfterTheBackup("intended");
  const adopt = `adopt 1 ${txId} ${partnerId()} it was --as ann`;
  given.scenario.changeNow.faults.push({ path: /by-id/, fault: "500" });
  await expect(exchange(adopt)).rejects.toThrow("changenow did not answer");
  await expect(exchange(adopt, new Map())).rejects.toThrow("changenow is not configured here");
  given.scenario.changeNow.faults.push({ path: /by-id/, fault: "500" });
  await exchange(`${adopt} --unconfirmed`);
  await longAfter();
  await isDone();
});
