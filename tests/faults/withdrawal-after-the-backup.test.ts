import { afterEach, beforeEach, expect, it } from "vitest";
import { lockSignedIn } from "../../server/accounts/index.ts";
import { loadCatalogue } from "../../server/catalogue/index.ts";
import { markRestored } from "../../server/db/backup/restored.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { correctWithdrawal, payEndedMonths, runEarningsCommand } from "../../server/earnings/index.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { restoreRows, saveRows } from "../support/database/saved-rows.ts";
import { ADDRESS, USDT_TRC20, withdrawer } from "../support/scenarios/earnings-scenario.ts";
import { earningsSetup, type EarningsSetup } from "../support/scenarios/earnings-setup.ts";
import type { TestEngine } from "../support/scenarios/test-engine.ts";

const UNIT = 1_000_000n;

let given: EarningsSetup;
beforeEach(async () => {
  given = await earningsSetup();
  given.scenario.rates.fees.set("eth", 10n ** 14n);
  await given.scenario.credit(given.ann, 60n * UNIT);
});
afterEach(() => given.database.drop());

/** What `pay` makes after the backup is all that the restored database lacks. */
async function lost(pay: () => Promise<unknown>): Promise<TestEngine> {
  const { scenario, database, testEngine } = given;
  await scenario.blocks(testEngine, 3);
  const saved = await saveRows(database.url);
  await pay();
  await scenario.blocks(testEngine, 8);
  await restoreRows(database.pool, saved);
  await database.pool.query("drop schema saved cascade");
  await inTransaction(database, markRestored);
  const engine = await scenario.engine();
  await engine.settle();
  return engine;
}

async function payMonth(): Promise<void> {
  const { scenario, database } = given;
  scenario.now = new Date("2026-12-01T00:05:00Z");
  await payEndedMonths({
    database,
    catalogue: await loadCatalogue(),
    readers: new Map([
      ["TRX", scenario.tron],
      ["ETH", scenario.chain],
    ]),
    rates: {
      networkFee: (slug) => scenario.rates.networkFee(slug),
      priceUsd: (slug) => scenario.rates.prices.get(slug) ?? null,
    },
    clock: { now: () => scenario.now },
    isSandbox: true,
    lockSignedIn,
  });
}

const recovery = ({ catalogue }: TestEngine, command: string) =>
  runRecoveryCommand(given.database, catalogue, command.split(" "), correctPayment, correctWithdrawal);
const earning = async (command: string) =>
  runEarningsCommand({ database: given.database, catalogue: await loadCatalogue() }, command.split(" "));

async function unknown() {
  const [one] = await listUnknownPayments(given.database);
  if (one === undefined) throw new Error("every payment is known");
  return one;
}

it.each([
  { slug: "eth", paid: 19_899_999_666_666_666n, left: 0n },
  { slug: "usdt-trc20", paid: 59n * UNIT, left: UNIT },
])(
  "a monthly payout in $slug that is made anew for another sum is booked as what was paid",
  async ({ slug, paid, left }) => {
    const { scenario, database, ann } = given;
    const isEther = slug === "eth";
    const [network, chain] = isEther ? (["ETH", scenario.chain] as const) : (["TRX", scenario.tron] as const);
    const address = isEther ? "annhome" : ADDRESS;
    const received = () => chain.received(address.toLowerCase(), slug);
    await given.earnings.setMonthlyPayout({ userId: ann }, { address, slug });
    const engine = await lost(payMonth);
    await scenario.blocks(engine, 6);
    // Until the month is made anew ether costs more, or an order has completed.
    const price = scenario.rates.prices.get("eth") ?? 0n;
    scenario.rates.prices.set("eth", (price * 101n) / 100n);
    if (!isEther) await scenario.credit(ann, UNIT);
    await payMonth();
    await scenario.blocks(engine, 4);

    const { txId, mayBe } = await unknown();
    expect(mayBe).toMatchObject([{ owner: "withdrawal 1", isSame: false, isUnsigned: true }]);
    await expect(recovery(engine, `unknown-payment dismiss ${network} ${txId} unknown --as ann`)).rejects.toThrow(
      "--pays-again",
    );
    await expect(earning("withdrawal reject 1 twice --as bob")).rejects.toThrow(
      `unknown-payment book ${network} ${txId}`,
    );
    await recovery(engine, `unknown-payment book ${network} ${txId} ${mayBe[0]?.id} it is --as ann`);
    await scenario.blocks(engine, 8);
    expect(received()).toEqual([paid]);
    expect(await scenario.balanceOf(ann)).toBe(left);
    expect(await scenario.ownBalance("held")).toBe(0n);
    const row = await database.kysely.selectFrom("withdrawals").select("state").executeTakeFirst();
    expect(row).toEqual({ state: "settled" });
  },
);

it("what was withdrawn after the backup is not withdrawn again before its payment is decided", async () => {
  const { scenario, earnings, ann } = given;
  const second = `T${"b".repeat(33)}`;
  const ask = (address: string) => earnings.withdraw(withdrawer(ann), { ...USDT_TRC20, address, amount: "50" });
  const engine = await lost(() => ask(ADDRESS));
  await scenario.blocks(engine, 8);
  const { txId } = await unknown();
  await ask(second);
  expect(await earning("withdrawal list")).toContain("(unknown_payments)");
  await expect(earning("withdrawal approve 1 it asks --as bob")).rejects.toThrow(txId);
  await scenario.blocks(engine, 4);
  expect(scenario.received(second)).toEqual([]);

  await earning("withdrawal reject 1 paid already --as bob");
  await earning(`adjust ${ann} -50 paid after the backup --as ann`);
  await earning("accrual approve 2 paid after the backup --as bob");
  await recovery(engine, `unknown-payment dismiss TRX ${txId} a withdrawal --as ann`);
  await expect(ask(second)).rejects.toMatchObject({ code: "ERR_BALANCE_TOO_LOW" });
  await scenario.blocks(engine, 4);
  expect(scenario.received(ADDRESS)).toEqual([49n * UNIT]);
  expect(scenario.received(second)).toEqual([]);
});

it("a withdrawal to an address that was paid after the backup waits for what was paid to others too", async () => {
  const { scenario, earnings, ann } = given;
  const second = `T${"b".repeat(33)}`;
  const ask = (address: string) => earnings.withdraw(withdrawer(ann), { ...USDT_TRC20, address, amount: "20" });
  const engine = await lost(async () => {
    await ask(ADDRESS);
    await ask(second);
  });
  await scenario.blocks(engine, 8);
  const paid = await listUnknownPayments(given.database);
  const [first, other] = [ADDRESS, second].map((address) =>
    paid.find(({ pays }) => pays?.[0]?.to === address.toLowerCase()),
  );
  await ask(ADDRESS);
  expect(await earning("withdrawal list")).toContain("(unknown_payments)");
  await expect(earning("withdrawal approve 1 it asks --as bob")).rejects.toThrow(other?.txId ?? "no payment");

  await earning(`adjust ${ann} -20 paid after the backup --as ann`);
  await earning("accrual approve 2 paid after the backup --as bob");
  await recovery(engine, `unknown-payment dismiss TRX ${other?.txId} a withdrawal --as ann`);
  await earning("withdrawal approve 1 it was paid --as bob");
  const { mayBe } = await unknown();
  await recovery(engine, `unknown-payment book TRX ${first?.txId} ${mayBe[0]?.id} it is --as ann`);
  await scenario.blocks(engine, 8);
  expect([ADDRESS, second].map((address) => scenario.received(address))).toEqual([[19n * UNIT], [19n * UNIT]]);
  expect(await scenario.balanceOf(ann)).toBe(20n * UNIT);
});
