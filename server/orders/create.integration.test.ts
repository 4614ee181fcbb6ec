import { expect, it } from "vitest";
import { freshDatabase } from "../../tests/support/database.ts";
import { createTestEngine, orderBody } from "../../tests/support/test-engine.ts";
import { FakeChain } from "../../tests/support/fake-chain.ts";
import { orderIdFrom, secureIds } from "./ids.ts";

const testEngine = async (database: Awaited<ReturnType<typeof freshDatabase>>) => {
  const chain = new FakeChain();
  return createTestEngine({ database, reader: chain, wallet: chain });
};

it("a call repeated after a crash returns the order that it created", async () => {
  await using database = await freshDatabase({ max: 2 });
  const seed = "5".repeat(64);
  const client = { key: "a", traceId: "t", seed };
  const first = await (
    await testEngine(database)
  ).engine.orderService.create(orderBody(), { ...client, isFirst: true });
  const again = await (
    await testEngine(database)
  ).engine.orderService.create(orderBody(), { ...client, isFirst: false });
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
