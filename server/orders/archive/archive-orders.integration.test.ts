import { DAY_MS } from "#contract/durations.ts";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import { SweepingChain } from "../../../tests/support/chains/sweeping-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { archiveOrders, returnArchivedOrders } from "../../db/archived-orders.ts";
import { inTransaction } from "../../db/transaction.ts";
import { createPushSubscriptions } from "../../notifications/index.ts";
import { runArchiveCommand } from "./operator.ts";
import { creditDeposit } from "../../treasury/operator/deposits.ts";

const HALF_ETH = 5n * 10n ** 17n;
const client = { key: "c", traceId: "t" };
const MOVED = [
  "orders",
  "order_events",
  "deposits",
  "payouts",
  "payout_attempts",
  "payout_children",
  "payout_handles",
  "sweeps",
  "outbox",
] as const;

let database: TestDatabase;
let chain: SweepingChain;
let testEngine: TestEngine;
let days = 0;
const now = () => new Date(Date.now() + days * DAY_MS);

beforeEach(async () => {
  database = await freshDatabase();
  chain = new SweepingChain();
  days = 0;
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, now });
  await testEngine.settle();
});
afterEach(() => database.drop());

const service = () => testEngine.engine.orderService;
const info = (orderId: string) => service().info(orderId, "destination");
const mine = async (blocks: number) => {
  for (let mined = 0; mined < blocks; mined += 1) {
    await makeDue(database, "sweeps", "payouts");
    while (await testEngine.engine.runSweeps("ETH"));
    chain.mine();
    await testEngine.settle();
  }
};
const pay = async (body = orderBody({ refundAddress: "refund" })) => {
  const order = await service().create(body, client);
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  return order;
};
const sweep = async () => {
  await testEngine.engine.planSweeps();
  await mine(14);
};
/** Twenty orders that were completed later: the newest ones stay for the public list. */
const completeNewer = () =>
  sql`insert into orders select n.* from orders o, generate_series(1, 20) i, jsonb_populate_record(null::orders, to_jsonb(o) ||
      jsonb_build_object('id', repeat('n', 20) || lpad(i::text, 4, '0'), 'reference', 'newer-' || i,
        'completed_at', ${now()}::timestamptz, 'created_at', ${now()}::timestamptz)) n
    where o.id = (select id from orders where completed_at is not null limit 1)`.execute(database.kysely);
const archive = () => runArchiveCommand(database, ["archive", "--older-than", "30", "routine", "--as", "ann"], now());
const rowsOf = async (table: string, order: string) => {
  const where = table === "orders" ? "id = $1" : "order_id = $1";
  return (await database.pool.query(`select 1 from ${table} where ${where}`, [order])).rowCount;
};
const everything = async () => {
  const all = await Promise.all(
    MOVED.map(async (table) => {
      const { rows } = await sql<{ rows: unknown }>`
        select jsonb_agg(to_jsonb(t) - 'next_attempt_at' order by to_jsonb(t)::text) as rows from ${sql.table(table)} t`.execute(
        database.kysely,
      );
      return [table, rows[0]?.rows] as const;
    }),
  );
  return Object.fromEntries(all);
};

/** A completed order with a mail, one that expired, and a later payment, which holds the highest nonce. */
async function finished() {
  const completed = await pay();
  await service().setEmail(completed.orderId, "customer@example.com");
  const expired = await service().create(orderBody(), client);
  await mine(8);
  await pay();
  await mine(8);
  await sweep();
  await sql`
    insert into payout_children (payout_id, n, network, tx_id, raw, pays_for, max_cost, status, prepared_at)
    select payout_id, 1, network, tx_id || ' child', 'raw', tx_id, 1, 'mined', prepared_at from payout_attempts
    where payout_id = (select min(payout_id) from payout_attempts)`.execute(database.kysely);
  await sql`update outbox set state = 'sent', sent_at = now(), next_attempt_at = null`.execute(database.kysely);
  days = 2;
  await testEngine.engine.expireOrders();
  days = 40;
  await testEngine.engine.countCompletedOrders();
  await completeNewer();
  return { completed, expired };
}

describe("an archived order", () => {
  it("leaves the tables, and everything that a customer sees of it and of the service stays", async () => {
    const { completed, expired } = await finished();
    const seen = async () => ({
      completed: await info(completed.orderId),
      expired: await info(expired.orderId),
      latest: await service().latest(),
      stats: await service().stats(),
      target: await service().depositTarget(completed.orderId),
    });
    const ledger = () =>
      sql`select count(*), sum(e.amount)::text from ledger_entries e join ledger_accounts a on a.id = e.account_id group by a.slug order by a.slug`.execute(
        database.kysely,
      );
    const [before, booked] = [await seen(), (await ledger()).rows];
    expect(await archive()).toMatch(/^2 orders are archived/);
    for (const table of ["orders", "order_events", "deposits", "payouts", "outbox"])
      expect([table, await rowsOf(table, completed.orderId)]).toEqual([table, 0]);
    expect(await rowsOf("orders", expired.orderId)).toBe(0);
    expect(await seen()).toEqual(before);
    expect((await ledger()).rows).toEqual(booked);
    await expect(service().info(completed.orderId, "another")).rejects.toMatchObject({ code: "ERR_NOT_FOUND_E" });
    expect(
      await database.kysely
        .selectFrom("operator_actions")
        .select(["operator", "action", "after"])
        .orderBy("id")
        .execute(),
    ).toMatchObject([
      { operator: "ann", action: "archive" },
      { operator: "ann", action: "archive done", after: { archived: 2 } },
    ]);
    expect(await archive()).toMatch(/^0 orders are archived/);
  });

  it("comes back to the last digit", async () => {
    await finished();
    const before = await everything();
    await archive();
    expect(await everything()).not.toEqual(before);
    const archived = await database.kysely.selectFrom("archived_orders").select("id").execute();
    await inTransaction(database, (transaction) =>
      returnArchivedOrders(
        transaction,
        archived.map(({ id }) => id),
      ),
    );
    expect(await everything()).toEqual(before);
    expect(await database.kysely.selectFrom("archived_orders").selectAll().execute()).toEqual([]);
  });

  it("is paid late: the deposit is seen and goes back to its refund address", async () => {
    const { completed } = await finished();
    await archive();
    chain.deposit(completed.depositAddress, "eth", HALF_ETH);
    await mine(10);
    expect(chain.received("refund", "eth")).toEqual([HALF_ETH - 1_000_000n]);
    expect((await info(completed.orderId)).status).toBe("WITHDRAWAL_COMPLETED");
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(2);
    expect(await rowsOf("orders", completed.orderId)).toBe(1);
  });

  it("answers every call that would write to it, and what is refused brings nothing back", async () => {
    const { completed, expired } = await finished();
    await archive();
    const orders = service();
    const { orderId } = completed;
    const named = { orderId, destinationAddress: "destination" };
    const refused = { code: "ERR_UNPROCESSABLE_ENTITY" };
    const browser = {
      endpoint: "https://push.example/1",
      p256dh: "key",
      auth: "auth",
      locale: "en",
      expiresAt: null,
    } as const;
    await expect(orders.setEmail(orderId, "other@example.com")).rejects.toMatchObject(refused);
    await expect(orders.stopRefund(orderId, "no token")).rejects.toMatchObject({ code: "ERR_NOT_FOUND_E" });
    expect(await createPushSubscriptions(database).add(orderId, browser)).toBe("ended");
    expect(await orders.refundInfo(orderId, "destination")).toHaveProperty("refundAmountWithoutNetworkFee");
    expect(await rowsOf("orders", orderId)).toBe(0);

    const asked = { ...named, refundAddress: "refund", refundAmount: "0", claimedNetworkFee: "0" };
    await expect(orders.requestRefund(asked)).rejects.toMatchObject(refused);
    await expect(orders.acceptRateModeChange(named)).rejects.toMatchObject(refused);
    expect(await rowsOf("orders", orderId)).toBe(0);

    await database.pool.query(
      `insert into deposits (network, tx_id, output_index, address, slug, amount, block_height, block_hash, review_reason, detected_at)
        values ('ETH', 'nobody', 0, 'nowhere', 'eth', 5, 1, 'h', 'no_order_has_its_memo', now())`,
    );
    const { rows } = await sql<{ id: bigint }>`select id from deposits where tx_id = 'nobody'`.execute(database.kysely);
    const credit = creditDeposit(database, { name: "ann", reason: "why" }, rows[0]?.id ?? 0n, expired.orderId);
    await expect(credit).rejects.toThrow(`Order ${expired.orderId} is expired already.`);
    expect(await rowsOf("orders", expired.orderId)).toBe(0);

    expect(await orders.setEmail(orderId, "owner@example.com", "destination")).toMatchObject({
      isEmailConfirmed: true,
    });
    expect(await rowsOf("orders", orderId)).toBe(1);
  });

  it("waits for no use of a nonce that its payment gave back unsigned", async () => {
    const { completed } = await finished();
    await database.pool.query(
      `insert into payout_handles (network, key, payout_id, data, released_at)
      select network, 'hot:99', id, '{"nonce":99}', now() from payouts where order_id = $1`,
      [completed.orderId],
    );
    await archive();
    expect(await rowsOf("orders", completed.orderId)).toBe(0);
  });

  it("keeps its short name to itself", async () => {
    const { completed } = await finished();
    await archive();
    const { reference } = await database.kysely
      .selectFrom("archived_orders")
      .select("reference")
      .where("id", "=", completed.orderId)
      .executeTakeFirstOrThrow();
    const insert = sql`insert into orders select n.* from orders o, jsonb_populate_record(null::orders, to_jsonb(o) ||
      jsonb_build_object('id', repeat('z', 24), 'reference', ${reference}::text)) n limit 1`;
    await expect(insert.execute(database.kysely)).rejects.toMatchObject({ code: "23505" });
  });
});

describe("an order stays", () => {
  const stays = async (orderId: string) => {
    await archive();
    expect(await rowsOf("orders", orderId)).toBe(1);
  };

  it.each([
    ["a deposit is in review", "update deposits set review_reason = 'dust'"],
    ["coins lie at its address", "update deposits set sweep_id = null"],
    ["its address was not looked at since its sweep", "update deposit_addresses set watched_from = 1"],
    ["a payment is not final", "update payouts set state = 'mined'"],
    ["a handle is reserved", "update payout_handles set released_at = null"],
    ["a message waits", "update outbox set state = 'pending', sent_at = null, next_attempt_at = now()"],
    ["it is not counted yet", "update completed_orders set counted_until = '-infinity'"],
    [
      "no later nonce was used",
      "update payout_handles h set used_at = null from payouts p where p.id = h.payout_id and p.id > 1 and p.order_id is not null",
    ],
  ])("while %s", async (_, change) => {
    const { completed } = await finished();
    await database.pool.query(change);
    await stays(completed.orderId);
  });

  it("while it is among the newest", async () => {
    const { completed } = await finished();
    await database.pool.query("delete from orders where id like 'nnnn%'");
    await stays(completed.orderId);
  });
});

describe("archiving", () => {
  it("that stops in the middle changes nothing, and the next run goes on", async () => {
    const { completed } = await finished();
    const before = await everything();
    const crash = inTransaction(database, async (transaction) => {
      await archiveOrders(transaction, [completed.orderId]);
      throw new Error("the process dies");
    });
    await expect(crash).rejects.toThrow("the process dies");
    expect(await everything()).toEqual(before);
    expect(await archive()).toMatch(/^2 orders/);
  });

  it("runs beside other runs and beside workers that get late deposits", async () => {
    const { completed, expired } = await finished();
    chain.deposit(completed.depositAddress, "eth", HALF_ETH);
    chain.mine();
    await Promise.all([archive(), testEngine.settle(), archive(), info(completed.orderId), info(expired.orderId)]);
    await mine(12);
    expect(chain.received("refund", "eth")).toEqual([HALF_ETH - 1_000_000n]);
    expect((await info(expired.orderId)).orderId).toBe(expired.orderId);
  });

  it("is refused for orders that ended a week ago or later, and for what is no time", async () => {
    const say = (...words: string[]) => runArchiveCommand(database, ["archive", ...words, "why", "--as", "ann"], now());
    await expect(say("--older-than", "6")).rejects.toThrow("7 days");
    await expect(say("--older-than", "soon")).rejects.toThrow("npm run admin");
    await expect(say("--before", "2999-01-01")).rejects.toThrow("7 days");
    await expect(say()).rejects.toThrow("npm run admin");
    await expect(runArchiveCommand(database, ["archive", "--older-than", "30", "why"], now())).rejects.toThrow("--as");
    expect(await runArchiveCommand(database, ["status"])).toBeNull();
  });
});

it("events that are not in the archive can't be removed", async () => {
  await service().create(orderBody(), client);
  await expect(sql`delete from order_events`.execute(database.kysely)).rejects.toThrow("append-only");
  await expect(sql`update order_events set kind = 'other'`.execute(database.kysely)).rejects.toThrow("append-only");
});

it.each(["2026-02-31", "2025-02-29", "2026-13-01", "2026-00-10"])(
  "the day %s, which no calendar has, is refused",
  async (day) => {
    const command = ["archive", "--before", day, "why", "--as", "ann"];
    await expect(runArchiveCommand(database, command, new Date("2027-01-01"))).rejects.toThrow(`${day} is no date.`);
  },
);
