import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";

const STRANGER = "ann@example.com";
const LIMITS = { perRecipient: 3, perClient: 6 };

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let passed = 0;

beforeEach(async () => {
  passed = 0;
  database = await freshDatabase();
  chain = new FakeChain();
  const now = () => new Date(Date.now() + passed * 1000);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, firstMails: LIMITS, now });
  await testEngine.settle();
});
afterEach(() => database.drop());

const create = (userEmail: string | null, client: { key: string; network?: string }) =>
  testEngine.engine.orderService.create(orderBody({ userEmail }), { traceId: "t", ...client });
/** As an unknown sender who changes the address each time. */
let caller = 0;
const elsewhere = () => ({ key: `203.0.113.${(caller += 1)}` });
const mails = async (topic = "created") =>
  (await database.kysely.selectFrom("outbox").select("id").where("topic", "=", topic).execute()).length;

describe("the first mails of orders that nobody pays", () => {
  it("reach one recipient a few times only, however many orders name him and whoever makes them", async () => {
    for (let n = 0; n < 25; n += 1) await create(STRANGER, elsewhere());
    expect(await mails()).toBe(3);
    await create("bob@example.com", elsewhere());
    expect(await mails()).toBe(4);
  });

  it("are no more when 25 orders are made at once", async () => {
    await Promise.all(Array.from({ length: 25 }, () => create(STRANGER, elsewhere())));
    expect(await mails()).toBe(3);
  });

  it.each(["ANN@example.com", "ann+7@example.com", "Ann+a.b@Example.com"])(
    "are those of one mailbox: %s",
    async (same) => {
      for (let n = 0; n < 3; n += 1) await create(STRANGER, elsewhere());
      await create(same, elsewhere());
      expect(await mails()).toBe(3);
    },
  );

  it.each(["s.tranger@gmail.com", "S.T.Ranger+7@googlemail.com", "stranger@googlemail.com"])(
    "are those of one mailbox at Gmail: %s",
    async (same) => {
      for (let n = 0; n < 3; n += 1) await create("stranger@gmail.com", elsewhere());
      await create(same, elsewhere());
      expect(await mails()).toBe(3);
      await create("a.nn@example.com", elsewhere());
      await create("ann@example.com", elsewhere());
      expect(await mails()).toBe(5);
    },
  );

  it("are as few where the email comes later", async () => {
    for (let n = 0; n < 5; n += 1) {
      const { orderId } = await create(null, elsewhere());
      await testEngine.engine.orderService.setEmail(orderId, STRANGER);
    }
    expect(await mails()).toBe(3);
  });

  it("are only so many for one client and for one network, whomever they reach", async () => {
    for (let n = 0; n < 10; n += 1) await create(`a${n}@example.com`, { key: "203.0.113.200" });
    expect(await mails()).toBe(6);
    for (let n = 0; n < 30; n += 1)
      await create(`b${n}@example.com`, { key: `2001:db8:0:${n}::`, network: "2001:db8::/48" });
    expect(await mails()).toBe(6 + 24);
  });

  it("are counted for a day, and no longer once an order is paid", async () => {
    const { depositAddress } = await create(STRANGER, elsewhere());
    for (let n = 0; n < 3; n += 1) await create(STRANGER, elsewhere());
    expect(await mails()).toBe(3);
    chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
    chain.mine();
    await testEngine.settle();
    expect(await mails("deposit_seen")).toBe(1);
    passed = 80_000;
    await create(STRANGER, elsewhere());
    expect(await mails()).toBe(3);
    passed = 86_500;
    await create(STRANGER, elsewhere());
    expect(await mails()).toBe(4);
  });

  it("are sent for a paid order whatever was made in its name", async () => {
    const { orderId, depositAddress } = await create(null, elsewhere());
    for (let n = 0; n < 5; n += 1) await create(STRANGER, elsewhere());
    chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
    chain.mine();
    await testEngine.settle();
    await testEngine.engine.orderService.setEmail(orderId, STRANGER);
    expect(await mails()).toBe(4);
  });

  it("that were not sent leave the order its other mails", async () => {
    for (let n = 0; n < 3; n += 1) await create(STRANGER, elsewhere());
    const silent = await create(STRANGER, elsewhere());
    chain.deposit(silent.depositAddress, "eth", 5n * 10n ** 17n);
    for (let mined = 0; mined < 6; mined += 1) {
      chain.mine();
      await testEngine.settle();
    }
    expect([await mails(), await mails("deposit_seen"), await mails("payout_completed")]).toEqual([3, 1, 1]);
  });
});
