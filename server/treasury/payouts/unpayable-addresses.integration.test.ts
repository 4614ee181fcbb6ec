import { expect, it } from "vitest";
import { readsOf } from "../../../scripts/bench/engine/query-reads.ts";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { isOursSql } from "./unpayable-addresses.ts";

const ADDRESSES = 5_000;
/** After so many PostgreSQL keeps one plan for all values. */
const CUSTOM_PLANS = 6;

it("whether an address is ours costs the same with many addresses, also by a plan that was made while there was none", async () => {
  await using database = await freshDatabase();
  await using resources = new AsyncDisposableStack();
  const client = await database.pool.connect();
  resources.defer(() => client.release());
  await client.query("alter table deposit_addresses set (autovacuum_enabled = off)");
  await client.query(`prepare own (text, text) as select ${isOursSql("$1", "$2")} as ours`);
  for (let n = 0; n < CUSTOM_PLANS; n += 1) await client.query("execute own ('ETH', 'address 1')");
  await client.query(
    `with made as (
      insert into orders (id, reference, version, state, snapshot, from_slug, to_slug, rate_mode, client_key, locale, created_at)
      select lpad(n::text, 24, '0'), 'R' || n, 1, 'expired', '{}', 'eth', 'usdt-erc20', 'FLOATING', 'c', 'en', now()
      from generate_series(1, ${ADDRESSES}) n returning id)
    insert into deposit_addresses (network, address, derivation_index, order_id)
    select 'ETH', 'address ' || id::int, id::int, id from made`,
  );
  const { rows } = await client.query<{ "QUERY PLAN": unknown }>(
    "explain (analyze, format json) execute own ('ETH', 'address 4999')",
  );
  const looked = readsOf(rows[0]?.["QUERY PLAN"]).filter(({ table }) => table === "deposit_addresses");
  expect(looked).toEqual([expect.objectContaining({ index: "deposit_addresses_address", rows: 1 })]);
  expect((await client.query("execute own ('ETH', 'address 4999')")).rows).toEqual([{ ours: true }]);
  expect((await client.query("execute own ('BSC', 'address 4999')")).rows).toEqual([{ ours: false }]);
});
