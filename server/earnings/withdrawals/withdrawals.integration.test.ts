import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ADDRESS, USDT, USDT_TRC20, withdrawer } from "../../../tests/support/scenarios/earnings-scenario.ts";
import { earningsSetup, type EarningsSetup } from "../../../tests/support/scenarios/earnings-setup.ts";
import { runBlacklistCommand } from "../../blacklist/operator.ts";
import { runHeldCommand } from "../../treasury/operator/held-commands.ts";
import { runRecoveryCommand } from "../../treasury/operator/recovery-commands.ts";
import { calls } from "#contract/calls.ts";

const FIRST_PAGE = { offset: 0, limit: 20 };
const TEST_ADDRESS = `T${"1".repeat(33)}`;
const UNIT = 1_000_000n;
const FINAL = 20;

let given: EarningsSetup;
beforeEach(async () => {
  given = await earningsSetup();
});
afterEach(() => given.database.drop());

const body = (amount: string, address = ADDRESS) => ({ ...USDT_TRC20, address, amount });
const refusal = (code: string, message = "") => ({ code, message: expect.stringContaining(message) });

describe("a withdrawal", () => {
  it("is held, paid less the network fee, and settled", async () => {
    await given.scenario.credit(given.ann, 60n * UNIT);
    const { id, status } = await given.earnings.withdraw(withdrawer(given.ann), body("25"));
    expect(status).toBe("PENDING");
    expect(await given.earnings.walletBalances(given.ann)).toEqual([{ ...USDT_TRC20, balance: "35", held: "25" }]);
    await given.testEngine.settle();
    expect((await given.earnings.withdrawals(given.ann, FIRST_PAGE)).items).toMatchObject([
      { id, status: "SENT", amount: "25" },
    ]);
    await given.scenario.blocks(given.testEngine, 2);
    expect(given.scenario.received(ADDRESS)).toEqual([24n * UNIT]);
    const { items, total } = await given.earnings.withdrawals(given.ann, FIRST_PAGE);
    expect(total).toBe(1);
    expect(items).toMatchObject([{ status: "COMPLETED", networkFee: "1", address: ADDRESS.toLowerCase() }]);
    expect(items[0]?.txId).toMatch(/^[0-9a-f]{64}$/);
    expect(await given.earnings.walletBalances(given.ann)).toEqual([{ ...USDT_TRC20, balance: "35", held: "0" }]);
    expect(await given.scenario.ownBalance("held")).toBe(0n);
    expect(await given.scenario.ownBalance("revenue")).toBe(UNIT);
  });

  it("is refused below the minimum, with that number first, and above the balance", async () => {
    await expect(given.earnings.withdraw(withdrawer(given.ann), body("10"))).rejects.toMatchObject(
      refusal("ERR_BALANCE_NOT_FOUND"),
    );
    await given.scenario.credit(given.ann, 20n * UNIT);
    await expect(given.earnings.withdraw(withdrawer(given.ann), body("9.99"))).rejects.toMatchObject(
      refusal("ERR_WITHDRAWAL_TOO_SMALL", "10 USDT"),
    );
    await expect(given.earnings.withdraw(withdrawer(given.ann), body("20.000001"))).rejects.toMatchObject(
      refusal("ERR_BALANCE_TOO_LOW"),
    );
    await expect(given.earnings.withdraw(withdrawer(given.ann), body("10.0000001"))).rejects.toMatchObject(
      refusal("ERR_VALIDATION"),
    );
    const onEthereum = { ...body("10"), networkTitle: "ETH" };
    await expect(given.earnings.withdraw(withdrawer(given.ann), onEthereum)).rejects.toMatchObject(
      refusal("ERR_NETWORK_NOT_SUPPORTED"),
    );
    expect(await given.scenario.balanceOf(given.ann)).toBe(20n * UNIT);
  });

  it.each(["", "T", `T${"a".repeat(34)}`, `x${"a".repeat(33)}`, `T${"!".repeat(33)}`])(
    "to %s is refused as an incorrect address",
    async (address) => {
      await given.scenario.credit(given.ann, 20n * UNIT);
      await expect(given.earnings.withdraw(withdrawer(given.ann), body("10", address))).rejects.toMatchObject({
        code: "ERR_VALIDATION",
        data: { address: "error_address_incorrect" },
      });
    },
  );

  it("to a blacklisted address is refused, and not signed where it was listed after it", async () => {
    await given.scenario.credit(given.ann, 50n * UNIT);
    const list = (action: string) =>
      runBlacklistCommand(given.database, ["blacklist", action, ADDRESS, "a thief's", "--as", "ann", "--as-is"]);
    await list("add");
    await expect(given.earnings.withdraw(withdrawer(given.ann), body("10"))).rejects.toMatchObject({
      code: "ERR_FORBIDDEN",
      message: "Client data is blacklisted",
    });
    expect(await given.scenario.balanceOf(given.ann)).toBe(50n * UNIT);
    await list("remove");
    await given.earnings.withdraw(withdrawer(given.ann), body("10"));
    await list("add");
    await given.scenario.blocks(given.testEngine, 2);
    expect(await given.database.kysely.selectFrom("payouts").select(["state", "review_reason"]).execute()).toEqual([
      { state: "review", review_reason: "not_authorised" },
    ]);
  });

  it("to the test address is taken in the sandbox, and nothing is sent", async () => {
    await given.scenario.credit(given.ann, 20n * UNIT);
    expect(await given.earnings.withdraw(withdrawer(given.ann), body("10", TEST_ADDRESS))).toMatchObject({
      status: "COMPLETED",
    });
    await given.scenario.blocks(given.testEngine, 2);
    expect(await given.database.kysely.selectFrom("payouts").selectAll().execute()).toEqual([]);
    expect(await given.scenario.balanceOf(given.ann)).toBe(10n * UNIT);
    expect(await given.scenario.ownBalance("held")).toBe(0n);
  });

  it("of earnings on another network goes to that network's addresses, and the former balance stays shown after it", async () => {
    await given.scenario.credit(given.ann, 20n * UNIT);
    given.scenario.earningsSlug = "usdt-erc20";
    const earnings = await given.scenario.earnings();
    await given.scenario.credit(given.ann, 60n * UNIT);
    const onEthereum = { currencyTitle: "USDT", networkTitle: "ETH" };
    const to = "somewhere";
    expect(await earnings.walletBalances(given.ann)).toMatchObject([onEthereum, USDT_TRC20]);
    expect(await earnings.withdraw(withdrawer(given.ann), { ...onEthereum, address: to, amount: "25" })).toMatchObject({
      status: "PENDING",
    });
    await given.scenario.blocks(given.testEngine, 2);
    expect(given.scenario.chain.received(to, "usdt-erc20")).toEqual([24n * UNIT]);
    given.scenario.earningsSlug = USDT;
    const before = await given.scenario.earnings();
    expect(await before.walletBalances(given.ann)).toMatchObject([USDT_TRC20, onEthereum]);
  });

  it("waits for an operator where it is large, or over 100 USD to a new address, also in parts", async () => {
    await given.scenario.credit(given.ann, 2_000n * UNIT);
    const status = async (amount: string) =>
      (await given.earnings.withdraw(withdrawer(given.ann), body(amount))).status;
    expect(await status("60")).toBe("PENDING");
    expect(await status("60")).toBe("REVIEW");
    given.scenario.now = new Date(given.scenario.now.getTime() + 25 * 3_600_000);
    expect(await status("300")).toBe("PENDING");
    expect(await status("201")).toBe("REVIEW");
    await given.scenario.blocks(given.testEngine, 3);
    const paid = given.scenario.received(ADDRESS);
    expect(new Set(paid)).toEqual(new Set([299n * UNIT, 59n * UNIT]));
    expect(await given.scenario.ownBalance("held")).toBe(261n * UNIT);
  });

  it("waits for an operator where accounts split a sum to one address, or at one client", async () => {
    given.scenario.isSandbox = false;
    const earnings = await given.scenario.earnings();
    const status = async (amount: string, client: string, address = ADDRESS) => {
      const user = await given.scenario.user();
      await given.scenario.credit(user, 2_000n * UNIT);
      return (await earnings.withdraw(withdrawer(user, client), body(amount, address))).status;
    };
    expect(await status("60", "192.0.2.1")).toBe("PENDING");
    expect(await status("60", "192.0.2.2")).toBe("REVIEW");
    expect(await status("60", "192.0.2.3", `T${"b".repeat(33)}`)).toBe("PENDING");
    for (const letter of ["c", "d", "e", "f"])
      expect(await status("100", "192.0.2.1", `T${letter.repeat(33)}`)).toBe("PENDING");
    expect(await status("100", "192.0.2.1", `T${"g".repeat(33)}`)).toBe("REVIEW");
    expect(await status("100", "192.0.2.9", `T${"g".repeat(33)}`)).toBe("REVIEW");
  });

  it("is judged by its own account alone in the sandbox, whose people are all one client", async () => {
    for (let account = 0; account < 6; account += 1) {
      const user = await given.scenario.user();
      await given.scenario.credit(user, 100n * UNIT);
      expect(await given.earnings.withdraw(withdrawer(user), body("100"))).toMatchObject({ status: "PENDING" });
    }
  });

  it("is limited in number for an account, and for a client", async () => {
    const bob = await given.scenario.user();
    for (const user of [given.ann, bob]) await given.scenario.credit(user, 2_000n * UNIT);
    const old = {
      slug: USDT,
      network: "TRX",
      address: "other",
      amount: 10n,
      network_fee: 1n,
      state: "rejected",
    } as const;
    const rows = Array.from({ length: 99 }, () => ({
      ...old,
      user_id: given.ann,
      client_key: "192.0.2.1",
      created_at: given.scenario.now,
      ended_at: given.scenario.now,
    }));
    await given.database.kysely.insertInto("withdrawals").values(rows).execute();
    await given.earnings.withdraw(withdrawer(given.ann), body("10"));
    const tooMany = { httpStatus: 429 };
    await expect(given.earnings.withdraw(withdrawer(given.ann), body("10"))).rejects.toMatchObject(tooMany);
    await expect(given.earnings.withdraw(withdrawer(given.ann, "192.0.2.9"), body("10"))).rejects.toMatchObject(
      tooMany,
    );
    await expect(given.earnings.withdraw(withdrawer(bob), body("10"))).rejects.toMatchObject(tooMany);
    expect(await given.earnings.withdraw(withdrawer(bob, "192.0.2.9"), body("10"))).toMatchObject({
      status: "PENDING",
    });
  });

  it("repeated after a crash answers with what was stored", async () => {
    await given.scenario.credit(given.ann, 20n * UNIT);
    const call = { ...withdrawer(given.ann), seed: "a seed" };
    const made = await given.earnings.withdraw({ ...call, isFirst: true }, body("10"));
    expect(await given.earnings.withdraw({ ...call, isFirst: false }, body("10"))).toEqual(made);
    expect(await given.scenario.balanceOf(given.ann)).toBe(10n * UNIT);
  });
});

it("a payment that is not the withdrawal is never signed", async () => {
  await given.scenario.credit(given.ann, 20n * UNIT);
  await given.earnings.withdraw(withdrawer(given.ann), body("10"));
  await given.database.kysely.updateTable("payouts").set({ to_address: "thief" }).execute();
  await given.scenario.blocks(given.testEngine, 2);
  expect(given.scenario.received("thief")).toEqual([]);
  const row = await given.database.kysely.selectFrom("payouts").select(["state", "review_reason"]).executeTakeFirst();
  expect(row).toEqual({ state: "review", review_reason: "not_authorised" });
});

it("that a block held, and a transaction made elsewhere then replaced, is sent again by a command, and settled once", async () => {
  const { database, scenario, testEngine } = given;
  const payout = () =>
    database.kysely.selectFrom("payouts").select(["id", "state", "review_reason"]).executeTakeFirstOrThrow();
  await scenario.credit(given.ann, 60n * UNIT);
  await given.earnings.withdraw(withdrawer(given.ann), body("25"));
  await testEngine.settle();
  await scenario.blocks(testEngine, 1);
  expect(await payout()).toMatchObject({ state: "mined" });

  scenario.tron.reorg(1);
  const foreign = scenario.tron.spendOutside([{ outputIndex: -1, toAddress: "elsewhere", slug: USDT, amount: 7n }]);
  await scenario.blocks(testEngine, 1);
  const words = `unknown-payment dismiss TRX ${foreign} made by hand --as ann`.split(" ");
  await runRecoveryCommand(database, testEngine.catalogue, words);
  await scenario.blocks(testEngine, FINAL + 2);
  expect(await payout()).toMatchObject({ state: "review", review_reason: "replaced_on_chain" });
  expect(scenario.received(ADDRESS)).toEqual([]);

  const retry = `payout retry ${(await payout()).id} it is owed --as ann`.split(" ");
  await runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, retry);
  await scenario.blocks(testEngine, FINAL + 2);
  expect(await payout()).toMatchObject({ state: "final" });
  expect(scenario.received(ADDRESS)).toEqual([24n * UNIT]);
  expect((await given.earnings.withdrawals(given.ann, FIRST_PAGE)).items).toMatchObject([{ status: "COMPLETED" }]);
  expect(await given.earnings.walletBalances(given.ann)).toEqual([{ ...USDT_TRC20, balance: "35", held: "0" }]);
  expect(await scenario.ownBalance("revenue")).toBe(UNIT);
});

it("fifty at once never take more than there is", async () => {
  await given.scenario.credit(given.ann, 100n * UNIT);
  const asked = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => given.earnings.withdraw(withdrawer(given.ann, `192.0.2.${n}`), body("10"))),
  );
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  for (const one of asked)
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "ERR_BALANCE_TOO_LOW" });
  expect(await given.scenario.balanceOf(given.ann)).toBe(0n);
  expect(await given.scenario.ownBalance("held")).toBe(100n * UNIT);
});

it("needs a recent proof of who it is", () => {
  expect(calls.createWithdrawal).toMatchObject({ needsReauthentication: true, isForSignedIn: true, idempotent: true });
});
