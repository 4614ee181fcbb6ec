import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rowViolations } from "../../tests/support/checkers/row-checkers.ts";
import { ADDRESS, USDT_TRC20, withdrawer } from "../../tests/support/scenarios/earnings-scenario.ts";
import { earningsSetup, type EarningsSetup } from "../../tests/support/scenarios/earnings-setup.ts";
import { creditPageSchema } from "#contract/accounts/earnings.ts";
import { loadCatalogue } from "../catalogue/index.ts";
import { PaymentRefusedError } from "../chains/port.ts";
import { listHeld } from "../treasury/operator/held.ts";
import { runEarningsCommand } from "./operator.ts";

const UNIT = 1_000_000n;

let given: EarningsSetup;
beforeEach(async () => {
  given = await earningsSetup();
  await given.database.kysely
    .updateTable("users")
    .set({ email: "ann@mail.example", locale: "ru" })
    .where("id", "=", given.ann)
    .execute();
  await given.scenario.credit(given.ann, 1_000n * UNIT);
});
afterEach(() => given.database.drop());

const run = async (...words: string[]) =>
  runEarningsCommand({ database: given.database, catalogue: await loadCatalogue() }, words);
/** Its number, by which operators name it. */
const withdraw = async (amount: string) => {
  const { id } = await given.earnings.withdraw(withdrawer(given.ann), { ...USDT_TRC20, address: ADDRESS, amount });
  const { kysely } = given.database;
  const row = await kysely.selectFrom("withdrawals").select("id").where("public_id", "=", id).executeTakeFirstOrThrow();
  return `${row.id}`;
};
const topics = async () =>
  (await given.database.kysely.selectFrom("outbox").select("topic").orderBy("id").execute()).map(({ topic }) => topic);
const actions = async () =>
  (await given.database.kysely.selectFrom("operator_actions").select("action").orderBy("id").execute()).map(
    ({ action }) => action,
  );

describe("a withdrawal in review", () => {
  it("is paid once it is approved, with an audit row and a mail", async () => {
    const id = await withdraw("600");
    expect(await run("withdrawal", "list")).toContain(`withdrawal ${id}: 600 usdt-trc20 of user ${given.ann} to`);
    expect((await listHeld(given.database)).map(({ subject, reason }) => [subject, reason])).toEqual([
      [`withdrawal ${id}`, "large_amount"],
    ]);
    await run("withdrawal", "approve", id, "known customer", "--as", "bob");
    await expect(run("withdrawal", "approve", id, "again", "--as", "bob")).rejects.toThrow("is approved");
    await given.scenario.blocks(given.testEngine, 2);
    expect(given.scenario.received(ADDRESS)).toEqual([599n * UNIT]);
    expect([await topics(), await actions()]).toEqual([
      ["withdrawal_in_review", "withdrawal_approved", "withdrawal_paid"],
      ["withdrawal approve"],
    ]);
    const opened = await run("withdrawal", "open", id);
    expect(opened).toContain("bob: withdrawal approve (known customer)");
    expect(opened).toMatch(/^amount: 600 usdt-trc20$.*^network_fee: 1 usdt-trc20$/ms);
    expect(await rowViolations(given.database)).toEqual([]);
  });

  it("is back in the wallet once it is rejected", async () => {
    const id = await withdraw("600");
    await run("withdrawal", "reject", id, "stolen account", "--as", "bob");
    expect(await given.scenario.balanceOf(given.ann)).toBe(1_000n * UNIT);
    await expect(run("withdrawal", "approve", id, "again", "--as", "bob")).rejects.toThrow("is rejected");
    expect(await topics()).toEqual(["withdrawal_in_review", "withdrawal_rejected"]);
    expect(await run("withdrawal", "list")).toBe("no withdrawal waits");
    expect(await rowViolations(given.database)).toEqual([]);
  });

  it("is not rejected while an unknown payment may have paid it, as after a restore, and goes on once that is decided", async () => {
    const id = await withdraw("600");
    await given.database.pool.query(
      `insert into unknown_payments (network, tx_id, height, pays, found_at)
       select 'TRX', 'abc', 7, jsonb_build_array(jsonb_build_object('to', address, 'slug', slug, 'amount', '599000000')), now()
       from withdrawals`,
    );
    await expect(run("withdrawal", "reject", id, "no", "--as", "bob")).rejects.toThrow("abc of TRX");
    await given.database.pool.query("update unknown_payments set decision = 'not ours', decided_at = now()");
    await run("withdrawal", "reject", id, "no", "--as", "bob");
    expect(await given.scenario.balanceOf(given.ann)).toBe(1_000n * UNIT);
  });

  it("whose payment is refused can be rejected, one under way can't", async () => {
    const [refused, sent] = [await withdraw("50"), await withdraw("20")];
    given.scenario.tron.failing.set(ADDRESS.toLowerCase(), new PaymentRefusedError("destination_reverts", "no"));
    await given.scenario.blocks(given.testEngine, 1);
    expect(await run("withdrawal", "list")).toContain("destination_reverts");
    await run("withdrawal", "reject", refused, "the address takes nothing", "--as", "bob");
    expect(await given.scenario.balanceOf(given.ann)).toBe(980n * UNIT);
    given.scenario.tron.failing.clear();
    await given.database.kysely
      .updateTable("payouts")
      .set({ state: "intended", review_reason: null, next_attempt_at: new Date(0) })
      .where("withdrawal_id", "=", BigInt(sent))
      .execute();
    await given.testEngine.settle();
    await expect(run("withdrawal", "reject", sent, "too late", "--as", "bob")).rejects.toThrow("not in review");
    await given.scenario.blocks(given.testEngine, 2);
    expect(given.scenario.received(ADDRESS)).toEqual([19n * UNIT]);
    expect(await rowViolations(given.database)).toEqual([]);
  });
});

describe("an adjustment", () => {
  it("is in the wallet once another operator agrees", async () => {
    const said = await run("adjust", `${given.ann}`, "12.5", "a late refund", "--as", "bob");
    const id = /accrual (\d+)/.exec(said ?? "")?.[1] ?? "";
    expect(await run("accrual", "list")).toContain(
      `accrual ${id}: ADJUSTMENT of 12.5 usdt-trc20 for user ${given.ann}`,
    );
    await expect(run("accrual", "approve", id, "yes", "--as", "Bob")).rejects.toThrow("somebody else");
    expect(await given.scenario.balanceOf(given.ann)).toBe(1_000n * UNIT);
    await run("accrual", "approve", id, "yes", "--as", "cat");
    expect(await given.scenario.balanceOf(given.ann)).toBe(1_012_500_000n);
    await expect(run("accrual", "reject", id, "no", "--as", "cat")).rejects.toThrow("is completed");
    expect([await topics(), await actions()]).toEqual([["earning_approved"], ["adjust", "accrual approve"]]);
  });

  it("that no other operator agrees to is nothing that its person hears of", async () => {
    for (const amount of ["12.5", "-12.5"]) {
      const said = await run("adjust", `${given.ann}`, amount, "a wrong account", "--as", "bob");
      await run("accrual", "reject", /accrual (\d+)/.exec(said ?? "")?.[1] ?? "", "not theirs", "--as", "cat");
    }
    expect(await given.scenario.balanceOf(given.ann)).toBe(1_000n * UNIT);
    expect([await topics(), await actions()]).toEqual([[], ["adjust", "accrual reject", "adjust", "accrual reject"]]);
  });

  it("may take something away, and no more than there is", async () => {
    const propose = async (amount: string) => {
      const said = await run("adjust", `${given.ann}`, amount, "credited twice", "--as", "bob");
      return /accrual (\d+)/.exec(said ?? "")?.[1] ?? "";
    };
    await expect(propose("-1000.000001")).rejects.toThrow(`The wallet of user ${given.ann} has too little for it.`);
    const [id, other] = [await propose("-12.5"), await propose("-1000")];
    expect(await run("accrual", "list")).toContain(
      `accrual ${id}: ADJUSTMENT of -12.5 usdt-trc20 for user ${given.ann}`,
    );
    expect(await given.scenario.balanceOf(given.ann)).toBe(1_000n * UNIT);
    await run("accrual", "approve", id, "right", "--as", "cat");
    expect(await given.scenario.balanceOf(given.ann)).toBe(987_500_000n);
    await expect(run("accrual", "approve", other, "no", "--as", "cat")).rejects.toThrow("has too little");
    await run("accrual", "reject", other, "too much", "--as", "cat");
    const { items } = await given.earnings.credits(given.ann, null, { offset: 0, limit: 1 });
    expect(creditPageSchema.parse({ items, total: 1 }).items).toMatchObject([
      { amount: "-12.5", source: "ADJUSTMENT", status: "COMPLETED" },
    ]);
    expect([await topics(), await actions()]).toEqual([
      ["wallet_debited"],
      ["adjust", "adjust", "accrual approve", "accrual reject"],
    ]);
    expect(await rowViolations(given.database)).toEqual([]);
    const credit = {
      user_id: given.ann,
      slug: "usdt-trc20",
      amount: -1n,
      state: "completed",
      created_at: new Date(),
    } as const;
    await expect(
      given.database.kysely
        .insertInto("wallet_credits")
        .values({ ...credit, source: "CASHBACK", order_id: "o" })
        .execute(),
    ).rejects.toThrow("wallet_credits_sign");
    await expect(
      given.database.kysely
        .insertInto("wallet_credits")
        .values({ ...credit, source: "ADJUSTMENT", order_id: "o" })
        .execute(),
    ).rejects.toThrow("wallet_credits_check");
  });

  it("takes what the wallet lacks from what is credited next, where both operators were shown that", async () => {
    const said = await run("adjust", `${given.ann}`, "-1012.5", "paid twice", "--as", "bob", "--from-credits");
    expect(said).toContain("12.5 usdt-trc20 of it are not in its wallet");
    const id = /accrual (\d+)/.exec(said ?? "")?.[1] ?? "";
    expect(await run("accrual", "list")).toContain("(proposed_from_credits)");
    await expect(run("accrual", "approve", id, "yes", "--as", "Bob")).rejects.toThrow("somebody else");
    expect(await given.scenario.balanceOf(given.ann)).toBe(1_000n * UNIT);
    expect(await run("accrual", "approve", id, "right", "--as", "cat")).toContain("12.5 usdt-trc20 of it are not in");
    expect(await given.scenario.balanceOf(given.ann)).toBe(0n);
    expect(await run("accrual", "open", id)).toContain("outstanding: 12.5 usdt-trc20");
    // Given back by an adjustment the other way, as by whoever is mistaken.
    const back = await run("adjust", `${given.ann}`, "12.5", "not twice", "--as", "bob");
    await run("accrual", "approve", /accrual (\d+)/.exec(back ?? "")?.[1] ?? "", "right", "--as", "cat");
    expect((await given.earnings.walletBalances(given.ann))[0]).toMatchObject({ balance: "0" });
    await expect(withdraw("12.5")).rejects.toMatchObject({ code: "ERR_BALANCE_TOO_LOW" });
    await given.testEngine.engine.reverseUndone();
    expect(await run("accrual", "list")).toBe("no accrual waits");
    expect([await given.scenario.balanceOf(given.ann), await given.scenario.ownBalance("treasury")]).toEqual([0n, 0n]);
    expect(await rowViolations(given.database)).toEqual([]);
  });

  it("is refused without an account, an amount, a name or a reason", async () => {
    const unknown = () => run("adjust", "999", "1", "why", "--as", "bob");
    await expect(unknown()).rejects.toThrow(/no account 999\.$/);
    await given.database.pool.query(
      "insert into followed_networks (network, first_height, restored_at) values ('LTC', 1, now())",
    );
    await expect(unknown()).rejects.toThrow("registered after the backup has no wallet");
    for (const amount of ["0", "1e3", "abc", "0.0000001"])
      await expect(run("adjust", `${given.ann}`, amount, "why", "--as", "bob")).rejects.toThrow(
        `"${amount}" is no amount`,
      );
    const beyond = "9".repeat(23);
    await expect(run("adjust", beyond, "1", "why", "--as", "bob")).rejects.toThrow(`"${beyond}" is no account`);
    await expect(run("withdrawal", "open", beyond)).rejects.toThrow(`"${beyond}" is no withdrawal`);
    await expect(run("accrual", "open", "x")).rejects.toThrow('"x" is no accrual');
    await expect(run("adjust", `${given.ann}`, "1", "why")).rejects.toThrow("--as NAME");
    await expect(run("adjust", `${given.ann}`, "1", "--as", "bob")).rejects.toThrow("Give a reason");
    expect(await run("payout", "list")).toBeNull();
  });
});
