import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { violations } from "../../../tests/support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { depositEntries } from "./entries.ts";
import { endHold, placeHold, post, reversalOf } from "./ledger.ts";

let database: TestDatabase;
const at = new Date(0);
beforeEach(async () => {
  database = await freshDatabase();
  await inTransaction(database, (transaction) =>
    post(transaction, { kind: "deposit", sourceId: "1", at, entries: depositEntries("eth", 5n) }),
  );
});
afterEach(() => database.drop());

const hold = (amount: bigint, sourceId = "w") =>
  inTransaction(database, (transaction) =>
    placeHold(transaction, { sourceId, account: "customers", slug: "eth", amount, at }),
  );
const end = (how: "settled" | "released", sourceId = "w") =>
  inTransaction(database, (transaction) =>
    endHold(transaction, sourceId, how === "settled" ? { kind: how, fee: 0n } : { kind: how }, at),
  );
const takeBack = (kind: string, sourceId: string) =>
  inTransaction(database, async (transaction) =>
    post(transaction, await reversalOf(transaction, { kind, sourceId, at })),
  );
const balances = async () => {
  const rows = await database.kysely
    .selectFrom("ledger_accounts")
    .select(["name", "balance"])
    // All of an instrument are opened together.
    .where((is) =>
      is.exists(is.selectFrom("ledger_entries").select("amount").whereRef("account_id", "=", "ledger_accounts.id")),
    )
    .execute();
  return Object.fromEntries(rows.map((row) => [row.name, row.balance]));
};

describe("a hold", () => {
  it("is settled once, and can't be released then", async () => {
    await hold(3n);
    await hold(3n);
    expect(await balances()).toMatchObject({ customers: 2n, held: 3n });
    await end("settled");
    await end("settled");
    await expect(end("released")).rejects.toThrow("ended otherwise");
    expect(await balances()).toMatchObject({ customers: 2n, held: 0n, hot: 3n });
  });

  it("is released to where it came from, and can't be settled then", async () => {
    await hold(3n);
    await end("released");
    await end("released");
    await expect(end("settled")).rejects.toThrow("ended otherwise");
    expect(await balances()).toMatchObject({ customers: 5n, held: 0n });
  });

  it("is settled with its fee as ours, and not with another one", async () => {
    const settle = (fee: bigint) =>
      inTransaction(database, (transaction) => endHold(transaction, "w", { kind: "settled", fee }, at));
    await hold(3n);
    await settle(1n);
    await settle(1n);
    await expect(settle(2n)).rejects.toThrow("ended otherwise");
    expect(await balances()).toMatchObject({ customers: 2n, held: 0n, hot: 2n, revenue: 1n });
  });

  it("has one end among many at once", async () => {
    await hold(3n);
    const ends = await Promise.allSettled(
      Array.from({ length: 10 }, (_, one) => end(one % 2 === 0 ? "settled" : "released")),
    );
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const { held, customers, hot = 0n } = await balances();
    expect([held, (customers ?? 0n) + hot]).toEqual([0n, 5n]);
  });

  it("never exceeds the balance, and never ends without having begun", async () => {
    await hold(3n);
    await expect(hold(3n, "x")).rejects.toThrow("violates check");
    await expect(hold(0n, "y")).rejects.toThrow(RangeError);
    await expect(end("settled", "z")).rejects.toThrow("no hold of z");
    expect(await balances()).toMatchObject({ customers: 2n, held: 3n });
  });
});

describe("a reversal", () => {
  it("reverses a transfer once, and leaves both posted", async () => {
    await takeBack("deposit", "1");
    await takeBack("deposit", "1");
    expect(await balances()).toEqual({ customers: 0n, deposits: 0n });
    const written = await database.kysely
      .selectFrom("ledger_transfers")
      .select(["kind", "source_id"])
      .orderBy("id")
      .execute();
    expect(written).toEqual([
      { kind: "deposit", source_id: "1" },
      { kind: "reversal", source_id: "deposit 1" },
    ]);
  });

  it("of what was never posted, or of what has been paid out since, is refused", async () => {
    await expect(takeBack("deposit", "2")).rejects.toThrow("no deposit of 2");
    await hold(3n);
    await end("settled");
    await expect(takeBack("deposit", "1")).rejects.toThrow("violates check");
  });
});

describe("without the trigger that makes each asset sum to zero", () => {
  it("an unbalanced transfer is written, and the checkers notice it", async () => {
    const lopsided = () =>
      inTransaction(database, (transaction) =>
        post(transaction, { kind: "x", sourceId: "1", at, entries: [{ account: "hot", slug: "eth", amount: -5n }] }),
      );
    await expect(lopsided()).rejects.toThrow("does not sum to zero");
    await sql`drop trigger ledger_entries_balance on ledger_entries`.execute(database.kysely);
    await lopsided();
    const chain = { delivered: async () => [], isDeep: async () => true };
    expect(await violations(database, chain, 3)).toContain("the ledger of eth sums to -5");
  });
});
