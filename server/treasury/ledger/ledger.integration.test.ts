import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { migrate } from "../../db/migrate.ts";
import { inTransaction } from "../../db/transaction.ts";
import {
  creditEntries,
  depositEntries,
  exchangeEntries,
  joinEntries,
  openingEntries,
  payoutEntries,
} from "./entries.ts";
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
  const rows = await database.kysely
    .selectFrom("ledger_accounts")
    .select(["name", "slug", "balance"])
    // All of an instrument are opened together.
    .where((is) =>
      is.exists(is.selectFrom("ledger_entries").select("amount").whereRef("account_id", "=", "ledger_accounts.id")),
    )
    .execute();
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

describe("the sum of all wallets", () => {
  const sums = async () => {
    const rows = await database.kysely.selectFrom("wallet_sums").selectAll().orderBy("slug").execute();
    return rows.map(({ slug, balance }) => `${balance} ${slug}`);
  };
  const user = async (email: string) =>
    (await database.kysely.insertInto("users").values({ email }).returning("id").executeTakeFirstOrThrow()).id;

  it("follows what is posted to them, also by many at a time, and every other change of them", async () => {
    const [one, other] = [await user("one@example.com"), await user("other@example.com")];
    await Promise.all(
      Array.from({ length: 8 }, (_, at) => postIt("credit", `${at}`, creditEntries("eth", 5n, at % 2 ? one : other))),
    );
    await postIt("credit", "usdt", creditEntries("usdt", 7n, one));
    await postIt("join", "1", joinEntries("eth", 20n, one, other));
    expect(await sums()).toEqual(["40 eth", "7 usdt"]);
    await sql`update ledger_accounts set balance = balance + 1 where name = ${`wallet:${other}`}`.execute(
      database.kysely,
    );
    expect(await sums()).toEqual(["41 eth", "7 usdt"]);
  });

  it("begins with what a running worker posts while its migration waits", async () => {
    await using older = await freshDatabase({ empty: true });
    await migrate(older, { until: "0180_written_off_sweeps" });
    await older.pool.query(`insert into users (email) values ('one@example.com');
      insert into ledger_accounts (name, slug, may_be_negative, user_id, balance) select 'wallet:' || id, 'eth', false, id, 5 from users`);
    const worker = await older.pool.connect();
    await worker.query("begin; update ledger_accounts set balance = balance + 2");
    const migrated = migrate(older, { until: "0181_wallet_sums" });
    const isWaiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await older.pool.query(isWaiting)).rowCount).toBe(1);
    await worker.query("commit");
    worker.release();
    await migrated;
    expect((await older.pool.query("select slug, balance from wallet_sums")).rows).toEqual([
      { slug: "eth", balance: 7n },
    ]);
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
