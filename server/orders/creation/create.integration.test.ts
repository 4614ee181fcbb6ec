import { expect, it, onTestFinished } from "vitest";
import { CodedError } from "#contract/errors.ts";
import type { NetworkReader } from "../../chains/port.ts";
import { watchCreations } from "../../http/monitoring/creation-watch.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { recordSentQueries } from "../../../tests/support/database/sent-queries.ts";
import { orderIdFrom, secureIds, type Ids } from "./ids.ts";

const testEngine = async (database: Awaited<ReturnType<typeof freshDatabase>>, ids: Ids = secureIds) => {
  const chain = new FakeChain();
  return createTestEngine({ database, reader: chain, wallet: chain, ids });
};
const client = { key: "a", traceId: "t" };

it("a call repeated after a crash returns the order that it created", async () => {
  await using database = await freshDatabase({ max: 2 });
  const seed = "5".repeat(64);
  const seeded = { ...client, seed };
  const first = await (
    await testEngine(database)
  ).engine.orderService.create(orderBody(), { ...seeded, isFirst: true });
  const again = await (
    await testEngine(database)
  ).engine.orderService.create(orderBody(), { ...seeded, isFirst: false });
  expect(again).toEqual(first);
  expect(await database.kysely.selectFrom("orders").select("id").execute()).toEqual([{ id: first.orderId }]);
});

it("calls with different seeds, or with none, create orders of their own", async () => {
  await using database = await freshDatabase({ max: 2 });
  const { engine } = await testEngine(database);
  const ids = [];
  for (const seed of ["1", "2", undefined, undefined])
    ids.push(
      (await engine.orderService.create(orderBody(), { key: "a", traceId: "t", ...(seed && { seed }) })).orderId,
    );
  expect(new Set(ids).size).toBe(4);
});

it("an id derived from a seed has the form of any other", () => {
  const ids = Array.from({ length: 200 }, (_, n) => orderIdFrom(`secret ${n}`));
  expect(new Set(ids).size).toBe(200);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{24}$/);
  expect(secureIds.orderId()).toHaveLength(24);
});

it("orders that are made at the same time share statements, and each has its own rows", async () => {
  const sent: string[] = [];
  onTestFinished(recordSentQueries((text) => sent.push(text)));
  await using database = await freshDatabase();
  const { engine } = await testEngine(database);
  await engine.orderService.create(orderBody(), client);
  sent.length = 0;
  const orders = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      engine.orderService.create(orderBody({ claimedDepositAmount: `0.${n + 10}` }), client),
    ),
  );
  expect(sent.filter((text) => text.includes("insert into orders")).length).toBeLessThan(20);
  for (const order of [orders[0], orders[37], orders[59]])
    expect(await engine.orderService.info(order?.orderId ?? "", "destination")).toEqual(order);
  const { rows } = await database.pool.query(
    "select count(*)::int from orders o join order_events e on e.order_id = o.id join deposit_addresses a on a.order_id = o.id",
  );
  expect(rows).toEqual([{ count: 61 }]);
});

it("of orders that are made at the same time, one that the database refuses and one to our own address fail alone", async () => {
  await using database = await freshDatabase();
  let made = 0;
  // The reference of the second one is taken.
  const ids = { ...secureIds, reference: () => (made++ < 2 ? "SAME-NAME" : secureIds.reference()) };
  const { engine } = await testEngine(database, ids);
  const { depositAddress } = await engine.orderService.create(orderBody(), client);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      engine.orderService.create(orderBody(n === 12 ? { destinationAddress: depositAddress } : {}), client),
    ),
  );
  const failures = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(failures).toEqual([
    expect.objectContaining({ code: "23505" }),
    expect.objectContaining({ code: "ERR_VALIDATION", data: { destinationAddress: "error_address_unpayable" } }),
  ]);
  expect(await database.kysely.selectFrom("orders").select("id").execute()).toHaveLength(19);
});

it("orders that are refused use up no deposit addresses", async () => {
  await using database = await freshDatabase();
  const { engine } = await testEngine(database);
  const { depositAddress } = await engine.orderService.create(orderBody(), client);
  const toOurs = orderBody({ destinationAddress: depositAddress });
  const overTheLimit = orderBody({ rateMode: "FIXED", refundAddress: "refund", claimedDepositAmount: "200" });
  for (let made = 0; made < 120; made += 1)
    await expect(engine.orderService.create(made % 2 === 0 ? toOurs : overTheLimit, client)).rejects.toBeInstanceOf(
      CodedError,
    );
  expect(await database.kysely.selectFrom("deposit_indexes").select("next").execute()).toEqual([{ next: 101n }]);
});

it("the first event and the snapshot have the same terms", async () => {
  await using database = await freshDatabase({ max: 2 });
  const { engine } = await testEngine(database);
  await engine.orderService.create(orderBody({ rateMode: "FIXED", refundAddress: "refund" }), client);
  const { rows } = await database.pool.query(
    "select e.kind, e.data = jsonb_build_object('terms', o.snapshot->'terms') as same from orders o join order_events e on e.order_id = o.id",
  );
  expect(rows).toEqual([{ kind: "CREATION_END", same: true }]);
});
it("a creation that waits for a wallet is none that hangs on the database", async () => {
  await using database = await freshDatabase({ max: 2 });
  let now = 0;
  const creations = watchCreations(() => now);
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const chain = new FakeChain();
  const depositAddress = async (index: bigint) => {
    asked.resolve();
    await answered.promise;
    return chain.depositAddress(index);
  };
  const reader: NetworkReader = Object.assign(Object.create(chain), { depositAddress });
  const { engine } = await createTestEngine({ database, reader, wallet: chain, creations });
  const creating = engine.orderService.create(orderBody(), { key: "a", traceId: "t" });
  await asked.promise;
  now += 60_000;
  expect(creations.isFailingFor(5_000)).toBe(false);
  answered.resolve();
  await creating;
});

it.each(["orders", "deposit_indexes", "deposit_addresses"])(
  "a creation that waits for a lock on %s hangs on the database",
  async (table) => {
    await using database = await freshDatabase({ max: 4 });
    let now = 0;
    const creations = watchCreations(() => now);
    const chain = new FakeChain();
    const { engine } = await createTestEngine({ database, reader: chain, wallet: chain, creations });
    const client = await database.pool.connect();
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    const creating = engine.orderService.create(orderBody(), { key: "a", traceId: "t" });
    await eventually("it waits", async () => {
      const { rows } = await client.query(
        "select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))",
      );
      return rows.length > 0 ? true : null;
    });
    now += 5_000;
    expect(creations.isFailingFor(5_000)).toBe(true);
    await client.query("rollback");
    client.release();
    await creating;
    expect(creations.isFailingFor(1_000)).toBe(false);
  },
);
