import { afterEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { takeDepositIndexes, skipDepositAddresses } from "./deposit-indexes.ts";
import { migrate } from "../migrate.ts";
import { inTransaction } from "../transaction.ts";

let database: TestDatabase;
afterEach(() => database.drop());

it("each address space counts by itself", async () => {
  database = await freshDatabase();
  expect(await takeDepositIndexes(database, "BTC", 3)).toEqual([1n, 2n, 3n]);
  expect(await takeDepositIndexes(database, "XMR", 2)).toEqual([1n, 2n]);
  expect(await takeDepositIndexes(database, "BTC", 1)).toEqual([4n]);
});

it("processes that take at the same time, also the first ones, get none twice", async () => {
  database = await freshDatabase();
  const taken = await Promise.all(Array.from({ length: 40 }, () => takeDepositIndexes(database, "BTC", 5)));
  expect(new Set(taken.flat()).size).toBe(200);
});

it("an open transaction that took none blocks nobody, and indexes taken beside one that fails stay taken", async () => {
  database = await freshDatabase();
  const failing = inTransaction(database, async () => {
    expect(await takeDepositIndexes(database, "BTC", 1)).toEqual([1n]);
    throw new Error("the order fails");
  });
  await expect(failing).rejects.toThrow("the order fails");
  expect(await takeDepositIndexes(database, "BTC", 1)).toEqual([2n]);
});

it("a skip counts for networks with addresses, for those without, and for one that begins beside it", async () => {
  database = await freshDatabase();
  await takeDepositIndexes(database, "BTC", 1);
  const beside: Promise<bigint[]>[] = [];
  await inTransaction(database, async (transaction) => {
    await skipDepositAddresses(transaction);
    beside.push(takeDepositIndexes(database, "LTC", 1));
    const isWaiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await database.pool.query(isWaiting)).rows.length).toBe(1);
  });
  expect(await takeDepositIndexes(database, "BTC", 1)).toEqual([10_002n]);
  expect(await takeDepositIndexes(database, "XMR", 1)).toEqual([10_001n]);
  expect(await beside[0]).toEqual([10_001n]);
});

it("the migration lets every network begin above the highest index that was ever issued on any", async () => {
  database = await freshDatabase({ empty: true });
  await migrate(database, { until: "0050_unknown_payments" });
  await database.pool.query("select setval('deposit_address_index', 700)");
  await migrate(database, { until: "0070_deposit_indexes" });
  expect(await takeDepositIndexes(database, "BTC", 1)).toEqual([701n]);
  expect(await takeDepositIndexes(database, "TRX", 1)).toEqual([701n]);
});

it("the migration believes the addresses where the sequence is behind them", async () => {
  database = await freshDatabase({ empty: true });
  await migrate(database, { until: "0050_unknown_payments" });
  await database.pool.query(`
    alter table deposit_addresses drop constraint deposit_addresses_order_id_fkey;
    insert into deposit_addresses (network, address, derivation_index, order_id) values ('BTC', 'bc1', 900, 'an-order')`);
  await migrate(database, { until: "0070_deposit_indexes" });
  expect(await takeDepositIndexes(database, "BTC", 1)).toEqual([901n]);
});
