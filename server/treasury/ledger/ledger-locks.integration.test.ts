import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { depositEntries } from "./entries.ts";
import { lockAccounts, post } from "./ledger.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

/** One transaction of two transfers, as an order that exchanges `first` for `second` has. */
const exchange = (id: string, first: string, second: string, between: () => Promise<unknown> = async () => null) =>
  database.kysely.transaction().execute(async (transaction) => {
    await lockAccounts(transaction, [first, second]);
    const at = new Date();
    await post(transaction, { kind: "deposit", sourceId: `${id} in`, at, entries: depositEntries(first, 1n) });
    await between();
    await post(transaction, { kind: "deposit", sourceId: `${id} out`, at, entries: depositEntries(second, 1n) });
  });

const someoneWaits = () =>
  eventually("another transaction waits for a lock", async () => {
    const { rows } = await database.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0 ? true : null;
  });

it.each([
  ["accounts that exist", true],
  ["accounts that nobody has opened", false],
])("two exchanges of opposite directions never wait in a circle, over %s", async (_, exist) => {
  if (exist) await exchange("earlier", "eth", "usdt-erc20");
  let other: Promise<void> = Promise.resolve();
  await exchange("there", "eth", "usdt-erc20", async () => {
    other = exchange("back", "usdt-erc20", "eth");
    await someoneWaits();
  });
  await other;
  const { count } = await database.kysely
    .selectFrom("ledger_transfers")
    .select((build) => build.fn.countAll<bigint>().as("count"))
    .executeTakeFirstOrThrow();
  expect(count).toBe(exist ? 6n : 4n);
});
