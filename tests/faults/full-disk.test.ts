import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { calls } from "#contract/calls.ts";
import type { CoinOrder } from "#contract/order.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { makeDue } from "../support/database/due-rows.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { testApp } from "../support/http/http-app.ts";
import { createTestEngine, orderBody } from "../support/scenarios/test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const FULL = 1_491_500_000n;

/** PostgreSQL's own answer to a write on a full disk, on every table. */
async function fill({ kysely }: TestDatabase): Promise<() => Promise<void>> {
  await sql`create function no_space() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(
    kysely,
  );
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(kysely);
  for (const { name } of rows)
    await sql`create trigger no_space before insert or update on ${sql.table(name)}
      for each statement execute function no_space()`.execute(kysely);
  return async () => void (await sql`drop function no_space cascade`.execute(kysely));
}

it("a full disk refuses orders, reads go on, nothing is paid, and all goes on once there is room", async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const chain = new FakeChain();
  chain.mine(2);
  const { engine, settle } = await createTestEngine({ database, reader: chain, wallet: chain });
  await settle();
  await using app = await testApp(database, { orderService: engine.orderService });
  const create = () =>
    app.inject({
      method: "POST",
      url: calls.createOrder.path,
      headers: { "idempotency-key": "during" },
      payload: orderBody({ destinationAddress: "another" }),
    });
  const made = await app.inject({ method: "POST", url: calls.createOrder.path, payload: orderBody() });
  const { orderId, destinationAddress, depositAddress } = made.json<CoinOrder>();
  const info = () => app.inject({ url: calls.orderInfo.path, query: { orderId, destinationAddress } });

  const free = await fill(database);
  chain.deposit(depositAddress, "eth", HALF_ETH);
  for (let block = 0; block < 5; block += 1) {
    chain.mine();
    await expect(settle()).rejects.toThrow("No space left on device");
    const refused = await create();
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect(refused.json()).toMatchObject({ status: "ERR_SERVICE_UNAVAILABLE" });
    expect(refused.body).not.toContain("space");
    expect((await info()).statusCode).toBe(200);
  }
  expect(chain.received("destination", "usdt-erc20")).toEqual([]);

  await free();
  expect((await create()).statusCode).toBe(200);
  expect(await database.kysely.selectFrom("orders").select("id").execute()).toHaveLength(2);
  for (let block = 0; block < 5; block += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await settle();
  }
  expect(chain.received("destination", "usdt-erc20")).toEqual([FULL]);
  expect((await info()).json()).toMatchObject({ status: "WITHDRAWAL_COMPLETED" });
});
