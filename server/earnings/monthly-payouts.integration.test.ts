import { afterEach, beforeEach, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { formatAmount } from "#contract/money.ts";
import { inTransaction } from "../db/transaction.ts";
import { runBlacklistCommand } from "../blacklist/operator.ts";
import { changeWithdrawal } from "./withdrawals/change-withdrawal.ts";
import { rowViolations } from "../../tests/support/checkers/row-checkers.ts";
import { ADDRESS } from "../../tests/support/scenarios/earnings-scenario.ts";
import { earningsSetup, type EarningsSetup } from "../../tests/support/scenarios/earnings-setup.ts";

const UNIT = 1_000_000n;
const CANONICAL = ADDRESS.toLowerCase();

let given: EarningsSetup;
beforeEach(async () => {
  given = await earningsSetup();
});
afterEach(() => given.database.drop());

const set = (address: string | null, userId = given.ann) => given.earnings.setMonthlyPayout({ userId }, { address });
const at = (time: string) => void (given.scenario.now = new Date(time));
const pay = (isAway = false) => given.scenario.payEndedMonths({ isAway });
const withdrawn = async (userId = given.ann) =>
  (await given.earnings.withdrawals(userId, { offset: 0, limit: 20 })).items.map(({ amount, status }) => [
    amount,
    status,
  ]);
const outcome = async () => (await given.earnings.monthlyPayout(given.ann)).lastOutcome;

test("the whole balance goes to the address once after each month, however often and by however many it is tried", async () => {
  await given.scenario.credit(given.ann, 60n * UNIT);
  expect(await set(ADDRESS)).toMatchObject({ address: ADDRESS, nextAt: "2026-12-01T00:00:00.000Z" });
  at("2026-11-30T23:59:59Z");
  await pay();
  expect(await withdrawn()).toEqual([]);

  at("2026-12-01T00:05:00Z");
  await Promise.all([pay(), pay(), pay()]);
  await pay();
  expect(await withdrawn()).toEqual([["60", "PENDING"]]);
  expect(await outcome()).toBe("PAID");
  await given.testEngine.settle();
  await given.scenario.blocks(given.testEngine, 2);
  expect(given.scenario.received(ADDRESS)).toEqual([59n * UNIT]);

  await given.scenario.credit(given.ann, 20n * UNIT);
  at("2026-12-31T23:00:00Z");
  await pay();
  expect(await withdrawn()).toHaveLength(1);
  at("2027-01-01T00:05:00Z");
  await pay();
  expect((await withdrawn())[0]?.[0]).toBe("20");
});

test("what is under the minimum stays for the next month", async () => {
  await given.scenario.credit(given.ann, 9n * UNIT);
  await set(ADDRESS);
  at("2026-12-01T00:05:00Z");
  await pay();
  expect([await withdrawn(), await outcome()]).toEqual([[], "TOO_LITTLE"]);
  await given.scenario.credit(given.ann, 9n * UNIT);
  await pay();
  expect(await withdrawn()).toEqual([]);
  at("2027-01-01T00:05:00Z");
  await pay();
  expect(await withdrawn()).toEqual([["18", "PENDING"]]);
});

test("a month that can't be paid yet is tried again, and one whose address was listed since is refused", async () => {
  await given.scenario.credit(given.ann, 60n * UNIT);
  await set(ADDRESS);
  at("2026-12-01T00:05:00Z");
  await runBlacklistCommand(given.database, ["blacklist", "add", CANONICAL, "a thief's", "--as", "ann", "--as-is"]);
  await pay();
  expect([await withdrawn(), await outcome()]).toEqual([[], "REFUSED"]);
  expect(await given.scenario.balanceOf(given.ann)).toBe(60n * UNIT);

  await runBlacklistCommand(given.database, ["blacklist", "remove", CANONICAL, "no thief", "--as", "ann"]);
  at("2027-01-01T00:05:00Z");
  await pay(true);
  expect([await withdrawn(), await outcome()]).toEqual([[], "REFUSED"]);
  await pay();
  expect([(await withdrawn()).length, await outcome()]).toEqual([1, "PAID"]);
});

test("an address that was set a day ago is no new one, and what was withdrawn by hand meanwhile counts", async () => {
  await given.scenario.credit(given.ann, 400n * UNIT);
  await set(ADDRESS);
  at("2026-12-01T00:05:00Z");
  await pay();
  expect(await withdrawn()).toEqual([["400", "PENDING"]]);

  const bob = await given.scenario.user();
  await given.scenario.credit(bob, 400n * UNIT);
  at("2026-12-31T23:30:00Z");
  await set(`T${"b".repeat(33)}`, bob);
  at("2027-01-01T00:05:00Z");
  await pay();
  expect(await withdrawn(bob)).toEqual([["400", "REVIEW"]]);
});

test("the balance goes as another coin at the market's price, is held and counted as what it was, and each step of it is in the books", async () => {
  await given.scenario.credit(given.ann, 60n * UNIT);
  const choices = ["usdt-trc20", "eth", "usdc-erc20"];
  const home = "somewhere";
  const asked = given.earnings.setMonthlyPayout({ userId: given.ann }, { address: home, slug: "eth" });
  expect(await asked).toMatchObject({ address: home, slug: "eth", choices });
  at("2026-12-01T00:05:00Z");
  await Promise.all([pay(), pay()]);
  // Less the network's fee of a million wei, which rounds up to a millionth of a dollar.
  const wei = (59_999_999n * 10n ** 18n) / (3_000n * UNIT);
  expect((await given.earnings.withdrawals(given.ann, { offset: 0, limit: 20 })).items).toMatchObject([
    {
      currencyTitle: "USDT",
      amount: "60",
      networkFee: "0.000001",
      status: "PENDING",
      paid: { currencyTitle: "ETH", networkTitle: "ETH", amount: formatAmount(wei, 18) },
    },
  ]);
  expect(await rowViolations(given.database)).toEqual([]);
  await given.testEngine.settle();
  await given.scenario.blocks(given.testEngine, 6);
  expect(given.scenario.chain.received(home, "eth")).toEqual([wei]);
  expect(await given.scenario.balanceOf(given.ann)).toBe(0n);
  expect(await given.scenario.ownBalance("held")).toBe(0n);
  expect(await withdrawn()).toEqual([["60", "COMPLETED"]]);
  expect(await rowViolations(given.database)).toEqual([]);
});

test("a payout in another coin that an operator rejects is in the wallet as what it was", async () => {
  await given.scenario.credit(given.ann, 600n * UNIT);
  const home = "somewhere";
  await given.earnings.setMonthlyPayout({ userId: given.ann }, { address: home, slug: "eth" });
  at("2026-12-01T00:05:00Z");
  await pay();
  expect(await withdrawn()).toEqual([["600", "REVIEW"]]);
  const { id } = await given.database.kysely.selectFrom("withdrawals").select("id").executeTakeFirstOrThrow();
  await inTransaction(given.database, (transaction) => changeWithdrawal(transaction, id, "reject", given.scenario.now));
  expect(await given.scenario.balanceOf(given.ann)).toBe(600n * UNIT);
  expect(await rowViolations(given.database)).toEqual([]);
});

test("a coin that isn't offered and an address of another network are refused, and a month without a price is tried again", async () => {
  const { earnings, ann, scenario } = given;
  const ask = (slug: string, address: string) => earnings.setMonthlyPayout({ userId: ann }, { address, slug });
  await expect(ask("doge", ADDRESS)).rejects.toMatchObject({ data: { slug: "can't be paid out" } });
  await expect(ask("usdt-trc20", "somewhere")).rejects.toMatchObject({ code: "ERR_VALIDATION" });
  await scenario.credit(ann, 60n * UNIT);
  await ask("eth", "somewhere");
  const price = scenario.rates.prices.get("eth") ?? 0n;
  scenario.rates.prices.delete("eth");
  at("2026-12-01T00:05:00Z");
  await pay();
  expect([await withdrawn(), await outcome()]).toEqual([[], null]);
  scenario.rates.prices.set("eth", price);
  await pay();
  expect([await withdrawn(), await outcome()]).toEqual([[["60", "PENDING"]], "PAID"]);
});

test("accounts whose coin has no price delay nobody else's monthly payout", async () => {
  const { earnings, scenario } = given;
  for (let account = 0; account < 100; account += 1)
    await earnings.setMonthlyPayout({ userId: await scenario.user() }, { address: "somewhere", slug: "eth" });
  const last = await scenario.user();
  await scenario.credit(last, 60n * UNIT);
  await set(ADDRESS, last);
  scenario.rates.prices.delete("eth");
  at("2026-12-01T00:05:00Z");
  await pay();
  expect(await withdrawn(last)).toEqual([["60", "PENDING"]]);
});

test("what another coin's network would take for the most part stays for the next month", async () => {
  const { earnings, ann, scenario } = given;
  // 30 USDT.
  scenario.rates.networkFee = () => 10n ** 16n;
  await scenario.credit(ann, 39n * UNIT);
  await earnings.setMonthlyPayout({ userId: ann }, { address: "somewhere", slug: "eth" });
  at("2026-12-01T00:05:00Z");
  await pay();
  expect([await withdrawn(), await outcome()]).toEqual([[], "TOO_LITTLE"]);
  await scenario.credit(ann, 2n * UNIT);
  at("2027-01-01T00:05:00Z");
  await pay();
  expect([await withdrawn(), await outcome()]).toEqual([[["41", "PENDING"]], "PAID"]);
});

test("an address that can't be paid is refused, and its person hears of each change", async () => {
  await expect(set("T123")).rejects.toMatchObject({ data: { address: "error_address_incorrect" } });
  await given.database.kysely.updateTable("users").set({ email: "ann@mail.example" }).execute();
  await set(ADDRESS);
  await set(ADDRESS);
  at("2026-11-22T12:00:00Z");
  expect(await set(null)).toMatchObject({ address: null, lastOutcome: null });
  const mails = await given.database.kysely.selectFrom("outbox").select("topic").orderBy("id").execute();
  expect(mails.map(({ topic }) => topic)).toEqual(["monthly_payout_set", "monthly_payout_off"]);
  await given.scenario.credit(given.ann, 60n * UNIT);
  at("2026-12-01T00:05:00Z");
  await pay();
  expect(await withdrawn()).toEqual([]);
});

test("setting one needs a recent proof of who it is", () => {
  expect(calls.setMonthlyPayout).toMatchObject({ needsReauthentication: true, isForSignedIn: true });
});
