import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { depositEntries, exchangeEntries, openingEntries, payoutEntries } from "./entries.ts";
import { post } from "./ledger.ts";
import type { LedgerEntry } from "../port.ts";

let database: TestDatabase;
const at = new Date(0);
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const postIt = (kind: string, sourceId: string, entries: LedgerEntry[]) =>
  inTransaction(database, (transaction) => post(transaction, { kind, sourceId, at, entries }));
const balances = async () => {
  const rows = await database.kysely.selectFrom("ledger_accounts").select(["name", "slug", "balance"]).execute();
  return Object.fromEntries(rows.map((row) => [`${row.name} ${row.slug}`, row.balance]));
};

describe("the ledger", () => {
  it("follows a swap from the deposit to the payout", async () => {
    await postIt("opening", "usdt", openingEntries("usdt", 1_000n));
    await postIt("deposit", "1", depositEntries("eth", 5n));
    await postIt(
      "exchange",
      "a",
      exchangeEntries({ slug: "eth", received: 5n }, { slug: "usdt", amount: 90n, platformFee: 8n, networkFee: 2n }),
    );
    await postIt("payout", "1", payoutEntries("usdt", 90n));
    expect(await balances()).toEqual({
      "hot usdt": -910n,
      "treasury usdt": 900n,
      "deposits eth": -5n,
      "customers eth": 0n,
      "treasury eth": 5n,
      "customers usdt": 0n,
      "revenue usdt": 10n,
    });
  });

  it("posts one kind and source once", async () => {
    await postIt("deposit", "1", depositEntries("eth", 5n));
    await postIt("deposit", "1", depositEntries("eth", 5n));
    expect(await balances()).toMatchObject({ "customers eth": 5n });
  });

  it("posts the same transfer once from many at a time", async () => {
    await Promise.all(Array.from({ length: 8 }, () => postIt("deposit", "1", depositEntries("eth", 5n))));
    expect(await balances()).toEqual({ "deposits eth": -5n, "customers eth": 5n });
  });
});

describe("the database refuses", () => {
  it("a transfer that does not sum to zero", async () => {
    const lopsided: LedgerEntry[] = [{ account: "hot", slug: "eth", amount: -5n }];
    await expect(postIt("deposit", "1", lopsided)).rejects.toThrow("does not sum to zero");
    expect(await balances()).toEqual({});
  });

  it("a transfer that balances one asset with another", async () => {
    const mixed: LedgerEntry[] = [
      { account: "hot", slug: "eth", amount: -5n },
      { account: "treasury", slug: "usdt", amount: 5n },
    ];
    await expect(postIt("deposit", "1", mixed)).rejects.toThrow("does not sum to zero");
  });

  it("a negative balance of customers", async () => {
    await expect(postIt("payout", "1", payoutEntries("usdt", 1n))).rejects.toThrow(
      /ledger_accounts_check|violates check/,
    );
  });

  it("a change of what is posted", async () => {
    await postIt("deposit", "1", depositEntries("eth", 5n));
    for (const statement of [
      sql`update ledger_entries set amount = 1`,
      sql`delete from ledger_entries`,
      sql`delete from ledger_transfers`,
    ]) {
      await expect(statement.execute(database.kysely)).rejects.toThrow("append-only");
    }
  });
});
