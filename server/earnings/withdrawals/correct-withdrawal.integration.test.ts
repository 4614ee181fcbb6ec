import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowViolations } from "../../../tests/support/checkers/row-checkers.ts";
import { ADDRESS, USDT, USDT_TRC20, withdrawer } from "../../../tests/support/scenarios/earnings-scenario.ts";
import { earningsSetup, type EarningsSetup } from "../../../tests/support/scenarios/earnings-setup.ts";
import { inTransaction } from "../../db/transaction.ts";
import { correctWithdrawal } from "./correct-withdrawal.ts";

const UNIT = 1_000_000n;
const WALLET = 1_000n * UNIT;
const ASKED = 100n * UNIT;
const HELD = 99n * UNIT;

let given: EarningsSetup;
beforeAll(async () => {
  given = await earningsSetup();
});
afterAll(() => given.database.drop());

/** A withdrawal of an account of its own, which was decided to pay `quoted` of another coin, or of its own. */
async function ask(quoted: bigint | null): Promise<{ user: bigint; id: bigint }> {
  const { scenario, earnings, database } = given;
  const user = await scenario.user();
  await scenario.credit(user, WALLET);
  await earnings.withdraw(withdrawer(user, `client ${user}`), { ...USDT_TRC20, address: ADDRESS, amount: "100" });
  const rows = database.kysely.updateTable("withdrawals").where("user_id", "=", user);
  const paid = quoted === null ? {} : { paid_slug: "eth", paid_amount: quoted };
  const { id } = await rows
    .set({ state: "approved", ...paid })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { user, id };
}

const correct = (withdrawalId: bigint, amount: bigint | null) =>
  inTransaction(given.database, (transaction) =>
    correctWithdrawal(transaction, { withdrawalId, txId: "tx", amount, at: given.scenario.now }),
  );

it("a wallet has what the last booking left it, whatever was booked and unbooked before", async () => {
  const amount = fc.bigInt({ min: 1n, max: 3n * HELD });
  const sequence = fc.array(fc.option(amount, { freq: 3 }), { minLength: 1, maxLength: 5 });
  const quote = fc.option(fc.bigInt({ min: 1n, max: 10n ** 17n }), { freq: 2 });
  await fc.assert(
    fc.asyncProperty(quote, sequence, async (quoted, bookings) => {
      const { user, id } = await ask(quoted);
      const price = quoted ?? HELD;
      for (const booked of bookings) {
        // In another coin up to thrice what it was quoted as well.
        const paid = booked === null || quoted === null ? booked : (booked * quoted) / HELD + 1n;
        const { amount: owed, missing } = await correct(id, paid);
        const left = WALLET - ASKED + HELD - (HELD * (paid ?? price)) / price;
        expect([owed, missing]).toEqual([paid ?? price, { slug: USDT, amount: 0n }]);
        expect(await given.scenario.balanceOf(user)).toBe(left);
      }
    }),
    { numRuns: 30 },
  );
  // Whoever books it makes its payment the same.
  await given.database.pool.query(`update payouts p set slug = coalesce(w.paid_slug, w.slug),
    amount = coalesce(w.paid_amount, w.amount - w.network_fee) from withdrawals w where w.id = p.withdrawal_id`);
  expect(await rowViolations(given.database)).toEqual([]);
});

it("what a wallet no longer has is named, not paid again, and taken by the next booking that leaves it more", async () => {
  const { user, id } = await ask(null);
  await correct(id, 9n * UNIT);
  // 990 of 1,000: what came back is withdrawn.
  await given.scenario.credit(user, -980n * UNIT);
  expect(await correct(id, null)).toMatchObject({ amount: 19n * UNIT, missing: { slug: USDT, amount: 80n * UNIT } });
  expect(await given.scenario.balanceOf(user)).toBe(0n);
  expect((await correct(id, 39n * UNIT)).missing.amount).toBe(20n * UNIT);
  expect((await correct(id, 9n * UNIT)).missing.amount).toBe(0n);
  expect(await given.scenario.balanceOf(user)).toBe(10n * UNIT);
});

it.each([null, 10n ** 17n])(
  "once nothing is booked any more it owes what is held less what its wallet lacks, quoted %s of another coin",
  async (quoted) => {
    const price = quoted ?? HELD;
    const sums = fc.record({
      paid: fc.bigInt({ min: 1n, max: price - 1n }),
      left: fc.bigInt({ min: 0n, max: WALLET }),
    });
    await fc.assert(
      fc.asyncProperty(sums, async ({ paid, left }) => {
        const { user, id } = await ask(quoted);
        await correct(id, paid);
        const before = await given.scenario.balanceOf(user);
        if (left < before) await given.scenario.credit(user, left - before);
        const had = await given.scenario.balanceOf(user);
        const { amount, missing } = await correct(id, null);
        const taken = had - (await given.scenario.balanceOf(user));
        // What was put back is either taken again, or not paid.
        expect(taken + missing.amount).toBe(HELD - (HELD * paid) / price);
        expect(amount).toBe(missing.amount === 0n ? price : (price * (HELD - missing.amount)) / HELD || 1n);
        const row = given.database.kysely.selectFrom("withdrawals").where("id", "=", id);
        const { paid_amount } = await row.select("paid_amount").executeTakeFirstOrThrow();
        expect(paid_amount).toBe(missing.amount === 0n && quoted === null ? null : amount);
      }),
      { numRuns: 20 },
    );
  },
);
