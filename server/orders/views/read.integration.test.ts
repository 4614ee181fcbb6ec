import { expect, it } from "vitest";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";

it("shows an order as of one moment, also when it changes between two reads", async () => {
  await using database = await freshDatabase({ max: 2 });
  const chain = new FakeChain();
  const { engine } = await createTestEngine({ database, reader: chain, wallet: chain });
  const { orderId } = await engine.orderService.create(orderBody(), { key: "a", traceId: "t" });

  // As for a reader that read the order's row just before another process appended an event.
  await database.kysely
    .insertInto("order_events")
    .values({ order_id: orderId, seq: 2, kind: "RATE_MODE_CHANGED", data: JSON.stringify({}), at: new Date() })
    .execute();

  const order = await engine.orderService.info(orderId, "destination");
  expect(order.orderEvents.map(({ kind }) => kind)).toEqual(["CREATION_END"]);
  expect(order.status).toBe("CREATION_END");
});

it("counts the median time from the first deposit to the payout, not from the order's creation", async () => {
  await using database = await freshDatabase();
  const chain = new FakeChain();
  let at = Date.now();
  const now = () => new Date(at);
  const { engine, settle } = await createTestEngine({ database, reader: chain, wallet: chain, now });
  const pass = async (seconds: number) => {
    at += seconds * 1_000;
    chain.mine();
    await settle();
  };
  await settle();

  // The customers send after an hour; with three confirmations and the payout's block each swap takes four blocks.
  for (const blockSeconds of [20, 30, 100]) {
    const { depositAddress } = await engine.orderService.create(orderBody(), { key: "a", traceId: "t" });
    at += 3_600_000;
    chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
    for (let mined = 0; mined < 4; mined += 1) await pass(blockSeconds);
  }

  expect(await engine.orderService.stats()).toMatchObject({ orders24h: 3, medianSeconds: 120 });
});

it("shows the public the last orders by rounded amounts and minutes, so that their two chains can't be joined", async () => {
  await using database = await freshDatabase();
  const chain = new FakeChain();
  const now = () => new Date("2026-11-21T12:34:56.789Z");
  const { engine, settle } = await createTestEngine({ database, reader: chain, wallet: chain, now });
  await settle();
  const { depositAddress, orderId } = await engine.orderService.create(orderBody(), { key: "a", traceId: "t" });
  chain.deposit(depositAddress, "eth", 512_345_678_901_234_567n);
  for (let mined = 0; mined < 4; mined += 1) {
    chain.mine();
    await settle();
  }

  const { deposits, withdrawals } = await engine.orderService.info(orderId, "destination");
  expect([deposits[0]?.amount, withdrawals[0]?.amount]).toEqual([
    "0.512345678901234567",
    expect.stringMatching(/^15\d\d\.\d{4,}/),
  ]);
  expect(await engine.orderService.latest()).toMatchObject([
    { amountFrom: "0.51", amountTo: "1500", completedAt: "2026-11-21T12:34:00.000Z" },
  ]);
});
