import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import type { FakeChain } from "../support/chains/fake-chain.ts";
import { rowViolations } from "../support/checkers/row-checkers.ts";
import { ADDRESS } from "../support/scenarios/earnings-scenario.ts";
import { RestoredEarnings, UNIT } from "../support/scenarios/restored-earnings.ts";

const SECOND = `T${"b".repeat(33)}`;

let given: RestoredEarnings;
beforeEach(async () => {
  given = await RestoredEarnings.open(60n * UNIT);
});
afterEach(() => given.database.drop());

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
    await given.lose(() => given.payMonth());
    // Until the month is made anew ether costs more, or an order has completed.
    const price = scenario.rates.prices.get("eth") ?? 0n;
    scenario.rates.prices.set("eth", (price * 101n) / 100n);
    if (!isEther) await scenario.credit(ann, UNIT);
    await given.payMonth();
    await given.blocks(4);

    const { txId, mayBe } = await given.unknown();
    expect(mayBe).toMatchObject([{ owner: "withdrawal 1", isSame: false, isUnsigned: true }]);
    await expect(given.say(`unknown-payment dismiss ${network} ${txId} unknown --as ann`)).rejects.toThrow(
      "--pays-again",
    );
    await expect(given.say("withdrawal reject 1 twice --as bob")).rejects.toThrow(
      `unknown-payment book ${network} ${txId}`,
    );
    await given.say(`unknown-payment book ${network} ${txId} ${mayBe[0]?.id} it is --as ann`);
    await given.blocks(8);
    expect(received()).toEqual([paid]);
    expect(await given.wallet()).toBe(left);
    expect(await scenario.ownBalance("held")).toBe(0n);
    const row = await database.kysely.selectFrom("withdrawals").select("state").executeTakeFirst();
    expect(row).toEqual({ state: "settled" });
  },
);

it("a monthly payout in a coin that no row has, as it was set up after the backup, is not dismissed as if it were none", async () => {
  await given.lose(async () => {
    await given.earnings.setMonthlyPayout({ userId: given.ann }, { address: "annhome", slug: "eth" });
    await given.payMonth();
  });
  const paid = given.scenario.chain.received("annhome", "eth");
  expect(paid).toHaveLength(1);
  const { network, txId } = await given.unknown();
  const dismiss = `unknown-payment dismiss ${network} ${txId} a payout --as ann`;
  await expect(given.say(dismiss)).rejects.toThrow("--adjusted");
  await given.adjust("-60");
  await given.say(`${dismiss} --adjusted`);
  await expect(given.ask(SECOND, "60")).rejects.toMatchObject({ code: "ERR_BALANCE_TOO_LOW" });
  await given.blocks(4);
  expect([given.scenario.chain.received("annhome", "eth"), given.received(SECOND)]).toEqual([paid, []]);
});

it("what was withdrawn after the backup is not withdrawn again before its payment is decided", async () => {
  await given.lose(() => given.ask(ADDRESS, "50"));
  const { txId } = await given.unknown();
  expect(await given.ask(SECOND, "50")).toBe("REVIEW");
  expect(await given.say("withdrawal list")).toContain("(unknown_payments)");
  await expect(given.say("withdrawal approve 1 it asks --as bob")).rejects.toThrow(txId);
  await given.blocks(4);
  expect(given.received(SECOND)).toEqual([]);

  const dismiss = `unknown-payment dismiss TRX ${txId} a withdrawal --as ann`;
  await expect(given.say(dismiss)).rejects.toThrow("its sum is in the wallet again");
  await expect(given.say(`${dismiss} --pays-again`)).rejects.toThrow("--adjusted");
  await given.say("withdrawal reject 1 paid already --as bob");
  await given.adjust("-50");
  await given.say(`${dismiss} --adjusted`);
  await expect(given.ask(SECOND, "50")).rejects.toMatchObject({ code: "ERR_BALANCE_TOO_LOW" });
  await given.blocks(4);
  expect([given.received(ADDRESS), given.received(SECOND)]).toEqual([[49n * UNIT], []]);
});

it("a withdrawal to an address that was paid after the backup waits for what was paid to others too", async () => {
  await given.lose(async () => {
    await given.ask(ADDRESS, "20");
    await given.ask(SECOND, "20");
  });
  const other = await given.unknown(SECOND);
  await given.ask(ADDRESS, "20");
  expect(await given.say("withdrawal list")).toContain("(unknown_payments)");
  await expect(given.say("withdrawal approve 1 it asks --as bob")).rejects.toThrow(other.txId);

  await given.adjust("-20");
  await given.say(`unknown-payment dismiss TRX ${other.txId} a withdrawal --as ann --adjusted`);
  await given.say("withdrawal approve 1 it was paid --as bob");
  const { txId, mayBe } = await given.unknown();
  await given.say(`unknown-payment book TRX ${txId} ${mayBe[0]?.id} it is --as ann`);
  await given.blocks(8);
  expect([given.received(ADDRESS), given.received(SECOND)]).toEqual([[19n * UNIT], [19n * UNIT]]);
  expect(await given.wallet()).toBe(20n * UNIT);
});

describe("of several withdrawals to an address that a payment has reached after the backup", () => {
  it("one goes on, and the next waits until that payment is decided", async () => {
    await given.lose(() => given.ask(ADDRESS, "20"));
    expect([await given.ask(ADDRESS, "20"), await given.ask(ADDRESS, "25")]).toEqual(["PENDING", "REVIEW"]);
    await expect(given.say("withdrawal approve 2 it asks --as bob")).rejects.toThrow("may have paid withdrawal 1");
    const { txId, mayBe } = await given.unknown();
    await given.say(`unknown-payment book TRX ${txId} ${mayBe[0]?.id} it is --as ann`);
    await given.blocks(4);
    expect(given.received(ADDRESS)).toEqual([19n * UNIT]);
    await given.say("withdrawal approve 2 looked at --as bob");
    await given.blocks(4);
    expect(given.received(ADDRESS)).toEqual([19n * UNIT, 24n * UNIT]);
    expect(await given.wallet()).toBe(15n * UNIT);
  });

  it("the one that the backup has is the first", async () => {
    const { switches } = given.engine;
    const stop = { action: "pay", scope: "TRX", direction: "both" } as const;
    await switches.stop({ ...stop, reason: "a check" });
    await given.ask(SECOND, "10");
    await given.lose(async () => {
      await switches.release(stop);
      await given.ask(ADDRESS, "50");
    });
    await given.engine.switches.release(stop);
    const large = await given.unknown(ADDRESS);
    expect(await given.ask(SECOND, "45")).toBe("REVIEW");
    await given.say(`unknown-payment dismiss TRX ${large.txId} taken for one made outside --as ann --adjusted`);
    await expect(given.say("withdrawal approve 2 it asks --as bob")).rejects.toThrow("may have paid withdrawal 1");
    const { txId, mayBe } = await given.unknown(SECOND);
    await given.say(`unknown-payment book TRX ${txId} ${mayBe.find((one) => one.isSame)?.id} it is --as ann`);
    await given.blocks(8);
    expect([given.received(SECOND), given.received(ADDRESS)]).toEqual([[9n * UNIT], [49n * UNIT]]);
  });
});

it("a withdrawal that was approved before the restore is not signed while any payment is undecided", async () => {
  const stop = { action: "pay", scope: "TRX", direction: "both" } as const;
  await given.engine.switches.stop({ ...stop, reason: "a check" });
  await given.ask(ADDRESS, "50");
  await given.lose(async () => {
    // Its sum went back to the wallet, and left by another network.
    await given.say("withdrawal reject 1 another coin --as bob");
    given.scenario.chain.spendOutside([{ outputIndex: -1, toAddress: "annhome", slug: "eth", amount: 10n ** 16n }]);
  });
  await given.engine.switches.release(stop);
  await given.blocks(4);
  expect(given.received(ADDRESS)).toEqual([]);
  const { network, txId } = await given.unknown();
  expect(network).toBe("ETH");
  await given.say(`unknown-payment dismiss ETH ${txId} made by hand --as ann --adjusted`);
  await given.blocks(4);
  expect(given.received(ADDRESS)).toEqual([49n * UNIT]);
});

it("withdrawals that wait for an operator again, and were paid, are approved each by its payment", async () => {
  const LARGE = "20000";
  await given.scenario.credit(given.ann, 40_000n * UNIT);
  expect([await given.ask(ADDRESS, LARGE), await given.ask(SECOND, LARGE)]).toEqual(["REVIEW", "REVIEW"]);
  const reasons = await given.say("withdrawal list");
  expect(reasons.match(/\(large_amount\)/g)).toHaveLength(2);
  const approve = (id: number, paid = "") => given.say(`withdrawal approve ${id} known --as bob${paid}`);
  await given.lose(async () => {
    await approve(1);
    await approve(2);
  });
  const [first, second] = [await given.unknown(ADDRESS), await given.unknown(SECOND)];
  await expect(approve(1)).rejects.toThrow(second.txId);
  await expect(given.say("withdrawal reject 1 why --as bob")).rejects.toThrow(`--transaction ${first.txId}`);
  const dismiss = `unknown-payment dismiss TRX ${first.txId} outside --as ann`;
  await expect(given.say(dismiss)).rejects.toThrow(
    `"withdrawal approve 1 REASON --as NAME --transaction ${first.txId}"`,
  );
  await expect(approve(1, ` --transaction ${second.txId}`)).rejects.toThrow("does not pay");
  await approve(1, ` --transaction ${first.txId}`);
  await approve(2, ` --transaction ${second.txId}`);
  await given.blocks(8);
  const paid = [19_999n * UNIT];
  expect([given.received(ADDRESS), given.received(SECOND)]).toEqual([paid, paid]);
  expect([await given.wallet(), await given.scenario.ownBalance("held")]).toEqual([60n * UNIT, 0n]);
});

it("a withdrawal that was approved by its payment is decided anew once that is gone", async () => {
  const { database, scenario } = given;
  await scenario.credit(given.ann, 20_000n * UNIT);
  await given.ask(ADDRESS, "20000");
  await given.lose(() => given.say("withdrawal approve 1 known --as bob"));
  const { txId } = await given.unknown();
  await given.say(`withdrawal approve 1 it was paid --as bob --transaction ${txId}`);
  await given.evict(txId);
  expect(await given.say(`unknown-payment unbook TRX ${txId} it is gone --as ann`)).toContain(
    "withdrawal 1, which was approved by it, waits for you again",
  );
  expect(await given.say("withdrawal list")).toContain("withdrawal 1: 20000 usdt-trc20");
  await expect(given.say("withdrawal reject 1 another --as bob")).rejects.toThrow(`--transaction ${txId}`);
  const dismiss = `unknown-payment dismiss TRX ${txId} gone --as ann`;
  await expect(given.say(`${dismiss} --pays-again`)).rejects.toThrow("may have paid withdrawal 1");
  await expect(given.say(`${dismiss} --adjusted`)).rejects.toThrow("--gone");
  await given.say(`${dismiss} --adjusted --gone`);
  await given.blocks(4);
  expect(given.received(ADDRESS)).toEqual([]);
  await given.say("withdrawal approve 1 looked at --as bob");
  await given.blocks(8);
  expect(given.received(ADDRESS)).toEqual([19_999n * UNIT]);
  expect([await given.wallet(), await scenario.ownBalance("held")]).toEqual([60n * UNIT, 0n]);
  expect(await rowViolations(database)).toEqual([]);
});

describe("a withdrawal that was approved by its payment, which a block had and a reorganisation took for good,", () => {
  let txId: string;
  let taken: FakeChain["pending"];
  beforeEach(async () => {
    await given.scenario.credit(given.ann, 20_000n * UNIT);
    await given.ask(ADDRESS, "20000");
    await given.lose(() => given.say("withdrawal approve 1 known --as bob"));
    ({ txId } = await given.unknown());
    await given.say(`withdrawal approve 1 it was paid --as bob --transaction ${txId}`);
    await given.blocks(1);
    expect(await state()).toEqual({ state: "settled" });
    const { blocks } = given.scenario.tron;
    taken = blocks.flatMap(({ transactions }) => transactions).filter((one) => one.txId === txId);
    await given.evict(txId);
    const said = await given.say(`unknown-payment unbook TRX ${txId} it is gone --as ann`);
    expect(said).toContain("payment 1 of withdrawal 1, which was approved by it, is held");
    expect(await given.say("withdrawal list")).toContain("payment 1: approval_unbooked");
  });
  const state = () => given.database.kysely.selectFrom("withdrawals").select("state").executeTakeFirst();
  const dismiss = async () => {
    await given.say(`unknown-payment dismiss TRX ${txId} gone --as ann --pays-again --adjusted --gone`);
    await given.blocks(4);
    expect(given.received(ADDRESS)).toEqual([]);
  };
  const isLawful = async (wallet: bigint) => {
    expect([await given.wallet(), await given.scenario.ownBalance("held")]).toEqual([wallet, 0n]);
    expect(await rowViolations(given.database)).toEqual([]);
  };

  it("is given back to the wallet where its operator rejects it", async () => {
    await expect(given.say("withdrawal reject 1 another --as bob")).rejects.toThrow(`unknown-payment book TRX ${txId}`);
    const hot = await given.scenario.ownBalance("hot");
    await dismiss();
    await given.say("withdrawal reject 1 unknown here --as bob");
    await given.blocks(4);
    expect([given.received(ADDRESS), await state()]).toEqual([[], { state: "rejected" }]);
    expect(await given.scenario.ownBalance("hot")).toBe(hot - 19_999n * UNIT);
    await expect(given.say("withdrawal reject 1 twice --as bob")).rejects.toThrow("is rejected");
    await isLawful(20_060n * UNIT);
  });

  it("is paid once its operator says so", async () => {
    await dismiss();
    const retry = "payout retry 1 looked at --as bob".split(" ");
    const parts = { database: given.database, catalogue: given.engine.catalogue, isRegtest: true };
    await runHeldCommand(parts, retry);
    await given.blocks(8);
    expect([given.received(ADDRESS), await state()]).toEqual([[19_999n * UNIT], { state: "settled" }]);
    await expect(given.say("withdrawal reject 1 too late --as bob")).rejects.toThrow("not in review");
    await isLawful(60n * UNIT);
  });

  it("is booked again where a block has it again", async () => {
    given.scenario.tron.pending.push(...taken);
    await given.blocks(2);
    await given.say(`unknown-payment book TRX ${txId} 1 it came back --as ann`);
    await given.blocks(8);
    expect(given.received(ADDRESS)).toEqual([19_999n * UNIT]);
    await isLawful(60n * UNIT);
  });
});

it.each([
  ["settled by a block", 1, "mined"],
  ["final", 30, "mined"],
  ["final, and released after it was undone", 30, "broadcast"],
] as const)(
  "a withdrawal whose booked payment was %s, which a reorganisation took for good, is paid anew",
  async (_, count, state) => {
    await given.lose(() => given.ask(ADDRESS, "10"));
    expect(await given.ask(ADDRESS, "44")).toBe("PENDING");
    const { txId, mayBe } = await given.unknown();
    await given.say(`unknown-payment book TRX ${txId} ${mayBe[0]?.id} it is --as ann`);
    await given.blocks(count);
    const withdrawal = given.database.kysely.selectFrom("withdrawals").select("state").where("id", "=", 1n);
    expect(await withdrawal.executeTakeFirst()).toEqual({ state: "settled" });
    await given.evict(txId);
    await given.database.kysely.updateTable("payouts").set({ state }).execute();
    await given.say(`unknown-payment unbook TRX ${txId} it is gone --as ann`);
    await given.blocks(4);
    expect(given.received(ADDRESS)).toEqual([]);
    await given.say(`unknown-payment dismiss TRX ${txId} gone --as ann --pays-again --adjusted --gone`);
    await given.blocks(8);
    expect([given.received(ADDRESS), await given.wallet()]).toEqual([[9n * UNIT], 50n * UNIT]);
    expect(await given.scenario.ownBalance("held")).toBe(0n);
    expect(await rowViolations(given.database)).toEqual([]);
  },
);

it("a withdrawal that is booked as one payment after another, each gone again, takes and gives what the last one paid", async () => {
  const { database, scenario } = given;
  await given.lose(async () => {
    for (const amount of ["10", "20", "30"]) await given.ask(ADDRESS, amount);
  });
  const unknown = await listUnknownPayments(database);
  const txOf = (units: bigint) =>
    unknown.find(({ pays }) => pays?.[0]?.amount === `${units * UNIT}`)?.txId ?? `none of ${units}`;
  expect(await given.ask(ADDRESS, "44")).toBe("PENDING");
  const payment = () => database.kysely.selectFrom("payouts").select(["id", "amount"]).executeTakeFirstOrThrow();
  const { id } = await payment();
  const book = (units: bigint) => given.say(`unknown-payment book TRX ${txOf(units)} ${id} it is --as ann`);

  for (const [paid, wallet] of [
    [29n, 30n],
    [19n, 40n],
  ] as const) {
    await book(paid);
    expect([await given.wallet(), (await payment()).amount]).toEqual([wallet * UNIT, paid * UNIT]);
    await given.evict(txOf(paid));
    await given.say(`unknown-payment unbook TRX ${txOf(paid)} it is gone --as ann`);
    expect([await given.wallet(), (await payment()).amount]).toEqual([16n * UNIT, 43n * UNIT]);
  }

  await book(9n);
  for (const gone of [29n, 19n])
    await given.say(`unknown-payment dismiss TRX ${txOf(gone)} it never came back --as ann --adjusted`);
  await given.blocks(8);
  expect([given.received(ADDRESS), await given.wallet()]).toEqual([[9n * UNIT], 50n * UNIT]);
  expect(await scenario.ownBalance("held")).toBe(0n);
  expect(await rowViolations(database)).toEqual([]);
});

it("what a payment took beyond what its wallet still has is named to whoever books it", async () => {
  await given.lose(() => given.ask(ADDRESS, "60"));
  expect([await given.ask(ADDRESS, "20"), await given.ask(SECOND, "30")]).toEqual(["PENDING", "REVIEW"]);
  const { txId, mayBe } = await given.unknown();
  const said = await given.say(`unknown-payment book TRX ${txId} ${mayBe[0]?.id} it is --as ann`);
  expect(said).toContain("30 usdt-trc20 too little");
  expect(await given.wallet()).toBe(0n);
  await given.say("withdrawal reject 2 paid already --as ann");
  await given.blocks(8);
  expect([given.received(ADDRESS), given.received(SECOND)]).toEqual([[59n * UNIT], []]);
});

it("a withdrawal that is approved by a larger payment says what its wallet has no longer", async () => {
  await given.lose(async () => {
    await given.ask(ADDRESS, "30");
    await given.ask(SECOND, "30");
  });
  await given.ask(ADDRESS, "20");
  await given.ask(SECOND, "35");
  const { txId } = await given.unknown(ADDRESS);
  expect(await given.say(`withdrawal approve 1 it was paid --as bob --transaction ${txId}`)).toMatch(
    /^withdrawal 1: approved; 5 usdt-trc20 of what was paid/,
  );
});

it("where a network hides whom it pays, one withdrawal there goes on at most, and no payment is dismissed past one that waits", async () => {
  await given.scenario.credit(given.ann, 40_000n * UNIT);
  await given.ask(ADDRESS, "20000");
  await given.ask(SECOND, "20000");
  await given.lose(() => given.say("withdrawal approve 1 known --as bob"));
  await given.database.pool.query("update unknown_payments set pays = null");
  const { txId } = await given.unknown();
  const dismiss = `unknown-payment dismiss TRX ${txId} outside --as ann --pays-again`;
  await expect(given.say(dismiss)).rejects.toThrow("may have paid withdrawal 1 or 2");
  await given.say("withdrawal approve 1 known --as bob");
  await expect(given.say("withdrawal approve 2 known --as bob")).rejects.toThrow("may have paid withdrawal 1");
  await expect(given.say(dismiss)).rejects.toThrow("may have paid withdrawal 2");
  const { mayBe } = await given.unknown();
  await given.say(`unknown-payment book TRX ${txId} ${mayBe[0]?.id} it is --as ann`);
  await given.say("withdrawal approve 2 known --as bob");
  await given.blocks(8);
  expect([given.received(ADDRESS), given.received(SECOND)]).toEqual([[19_999n * UNIT], [19_999n * UNIT]]);
});

it("one that would be looked at anyway says so beside what it waits for after a restore", async () => {
  await given.scenario.credit(given.ann, 40_000n * UNIT);
  await given.lose(() => given.ask(SECOND, "50"));
  await given.ask(ADDRESS, "20000");
  expect(await given.say("withdrawal list")).toContain("(unknown_payments, large_amount)");
});
