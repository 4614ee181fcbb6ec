import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rowViolations } from "../support/checkers/row-checkers.ts";
import { ADDRESS, USDT } from "../support/scenarios/earnings-scenario.ts";
import { RestoredEarnings, UNIT } from "../support/scenarios/restored-earnings.ts";

const SECOND = `T${"b".repeat(33)}`;
const WALLET = 60n * UNIT;

let given: RestoredEarnings;
beforeEach(async () => {
  given = await RestoredEarnings.open(WALLET);
});
afterEach(() => given.database.drop());

/** A withdrawal of 44 was booked as a payment of 9, what came back was withdrawn elsewhere, and that payment is gone. Returns it. */
async function bookedWithdrawnAndGone(): Promise<string> {
  await given.lose(() => given.ask(ADDRESS, "10"));
  await given.ask(ADDRESS, "44");
  const { txId, mayBe } = await given.unknown();
  const payment = BigInt(mayBe[0]?.id ?? 0);
  await given.say(`unknown-payment book TRX ${txId} ${payment} it is --as ann`);
  expect(await given.wallet()).toBe(50n * UNIT);
  expect(await given.ask(SECOND, "49")).toBe("PENDING");
  await given.evict(txId);
  return txId;
}

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const received = (): bigint => sum([...given.received(ADDRESS), ...given.received(SECOND)]);

it("a withdrawal whose booked payment is gone is paid no more than its wallet still has for it", async () => {
  const txId = await bookedWithdrawnAndGone();
  const said = await given.say(`unknown-payment unbook TRX ${txId} it is gone --as ann`);
  expect(said).toContain("33 usdt-trc20");
  expect(await given.wallet()).toBe(0n);
  await given.say(`unknown-payment dismiss TRX ${txId} gone --as ann --pays-again --adjusted --gone`);
  await given.blocks(8);
  expect([given.received(ADDRESS), given.received(SECOND)]).toEqual([[10n * UNIT], [48n * UNIT]]);
  expect(received() + 2n * UNIT).toBe(WALLET);
  expect(await given.scenario.ownBalance("held")).toBe(0n);
  expect(await rowViolations(given.database)).toEqual([]);
});

it("such a withdrawal that is rejected gives back no more than it still holds", async () => {
  const txId = await bookedWithdrawnAndGone();
  await given.say(`unknown-payment unbook TRX ${txId} it is gone --as ann`);
  await given.engine.switches.stop({ action: "pay", scope: "TRX", direction: "both", reason: "a check" });
  await given.say(`unknown-payment dismiss TRX ${txId} gone --as ann --pays-again --adjusted --gone`);
  await given.say("withdrawal reject 1 another address --as bob");
  await given.blocks(8);
  expect(await given.wallet()).toBe(11n * UNIT);
  expect(received()).toBe(48n * UNIT);
  expect(await rowViolations(given.database)).toEqual([]);
});

describe("what was earned and withdrawn after the backup", () => {
  async function earnAndWithdraw(): Promise<string> {
    await given.ask(SECOND, "60");
    await given.blocks(8);
    await given.lose(async () => {
      await given.scenario.credit(given.ann, 50n * UNIT);
      await given.ask(ADDRESS, "50");
    });
    const { txId } = await given.unknown();
    return `unknown-payment dismiss TRX ${txId} a withdrawal --as ann`;
  }
  const available = async () => (await given.earnings.walletBalances(given.ann))[0]?.balance;

  it("is taken from what is credited next, before anything can be withdrawn", async () => {
    const dismiss = await earnAndWithdraw();
    await expect(given.say(dismiss)).rejects.toThrow("--from-credits");
    await expect(given.adjust("-50")).rejects.toThrow("--from-credits");
    await given.adjust("-50", " --from-credits");
    await given.say(`${dismiss} --adjusted`);
    // The order that has earned it completes once more.
    await given.scenario.credit(given.ann, 50n * UNIT);
    expect(await available()).toBe("0");
    await expect(given.ask(ADDRESS, "50")).rejects.toMatchObject({ code: "ERR_BALANCE_TOO_LOW" });
    expect(await given.say("accrual list")).toContain("50 usdt-trc20 of it are taken from what it is credited next");
    await given.engine.engine.reverseUndone();
    expect(await given.wallet()).toBe(0n);
    expect(await given.say("accrual list")).toBe("no accrual waits");
    await given.scenario.credit(given.ann, 20n * UNIT);
    expect(await given.ask(ADDRESS, "20")).toBe("PENDING");
    await given.blocks(8);
    expect(given.received(ADDRESS)).toEqual([49n * UNIT, 19n * UNIT]);
    expect(await rowViolations(given.database)).toEqual([]);
  });

  it("is taken in parts, by withdrawals and by months alike", async () => {
    const dismiss = await earnAndWithdraw();
    await given.scenario.credit(given.ann, 10n * UNIT);
    await given.adjust("-50", " --from-credits");
    expect([await given.wallet(), await available()]).toEqual([0n, "0"]);
    await given.say(`${dismiss} --adjusted`);
    await given.scenario.credit(given.ann, 15n * UNIT);
    await expect(given.ask(ADDRESS, "15")).rejects.toMatchObject({ code: "ERR_BALANCE_TOO_LOW" });
    await given.engine.engine.reverseUndone();
    await given.scenario.credit(given.ann, 37n * UNIT);
    expect(await available()).toBe("12");
    await given.earnings.setMonthlyPayout({ userId: given.ann }, { address: ADDRESS, slug: USDT });
    await given.payMonth();
    await given.blocks(8);
    expect(given.received(ADDRESS)).toEqual([49n * UNIT, 11n * UNIT]);
    expect(await given.wallet()).toBe(0n);
    expect(await rowViolations(given.database)).toEqual([]);
  });
});

it("what a booked payment took beyond its wallet is taken from what is credited next, and given back where it is unbooked", async () => {
  await given.lose(() => given.ask(ADDRESS, "60"));
  await given.ask(ADDRESS, "20");
  await given.ask(SECOND, "30");
  const { txId, mayBe } = await given.unknown();
  const payment = BigInt(mayBe[0]?.id ?? 0);
  await given.say(`unknown-payment book TRX ${txId} ${payment} it is --as ann`);
  expect(await given.say("accrual list")).toContain("30 usdt-trc20 of it are taken");
  await given.evict(txId);
  await given.say(`unknown-payment unbook TRX ${txId} it is gone --as ann`);
  expect([await given.wallet(), await given.say("accrual list")]).toEqual([10n * UNIT, "no accrual waits"]);
  await given.say(`unknown-payment book TRX ${txId} ${payment} it came back --as ann`);
  await given.scenario.credit(given.ann, 35n * UNIT);
  await expect(given.ask(SECOND, "35")).rejects.toMatchObject({ code: "ERR_BALANCE_TOO_LOW" });
  await given.engine.engine.reverseUndone();
  expect(await given.wallet()).toBe(5n * UNIT);
  expect(await rowViolations(given.database)).toEqual([]);
});
