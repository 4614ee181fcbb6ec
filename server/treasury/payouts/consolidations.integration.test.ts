import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { withdrawConsolidation } from "./consolidations.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

it("a payment to ourselves is not given up beside a nonce that is reserved for it at the same moment", async () => {
  const { rows } = await database.pool.query<{ id: bigint }>(
    `insert into payouts (purpose, network, slug, to_address, amount, state, created_at)
     values ('consolidation', 'ETH', 'eth', 'hot', 1, 'intended', now()) returning id`,
  );
  const id = rows[0]?.id ?? 0n;
  const reserving = await database.pool.connect();
  await reserving.query("begin");
  await reserving.query("select from payouts where id = $1 for update", [id]);
  await reserving.query(
    `insert into payout_handles (network, key, payout_id, data) values ('ETH', 'hot:7', $1, '{"nonce": 7}')`,
    [id],
  );
  const withdrawn = withdrawConsolidation(database, id);
  const isWaiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await database.pool.query(isWaiting)).rowCount).toBe(1);
  await reserving.query("commit");
  reserving.release();

  expect(await withdrawn).toBe(false);
  expect((await database.pool.query("select state from payouts")).rows).toEqual([{ state: "intended" }]);
  await database.pool.query("update payout_handles set released_at = now()");
  expect(await withdrawConsolidation(database, id)).toBe(true);
});
