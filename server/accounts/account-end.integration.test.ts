import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { archiveOrders } from "../db/archived-orders.ts";
import { inTransaction } from "../db/transaction.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { creditAccount, reverseUndone } from "../earnings/index.ts";
import { createTestEngine, orderBody } from "../../tests/support/scenarios/test-engine.ts";

const PASSWORD = "a long enough phrase";
const REFUSED = { http: 422, body: { status: "ERR_UNPROCESSABLE_ENTITY" } };

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase({ max: 20 });
  const chain = new FakeChain();
  const { engine } = await createTestEngine({ database, reader: chain, wallet: chain });
  app = await testApp(database, { orderService: engine.orderService });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  await database.empty("users", "orders", "sessions", "failed_attempts");
});

async function signedIn(email: string) {
  const browser = new AccountBrowser(app);
  await browser.send("createLocal", { email, password: PASSWORD });
  expect(await browser.send("authenticateLocal", { email, password: PASSWORD })).toMatchObject({ http: 200 });
  return browser;
}

const created = (browser: AccountBrowser) => browser.send("createOrder", { ...orderBody(), userEmail: null });

const left = async () =>
  (await database.pool.query("select user_email from orders where user_email is not null or user_id is not null"))
    .rows as unknown[];

describe("the deletion of an account", () => {
  test.each([
    ["a deposit that came late and waits for an operator", "review_reason = 'after_settlement'"],
    ["a deposit that a mempool shows", "in_mempool = true"],
    ["a deposit without its confirmations", "block_height = 1"],
  ])("waits for %s", async (_, change) => {
    const browser = await signedIn("ann@mail.example");
    const { orderId, depositAddress } = (await created(browser)).body;
    await database.pool.query("update orders set state = 'expired'");
    await database.pool.query(
      `insert into deposits (network, tx_id, output_index, address, slug, amount, order_id, detected_at)
       values ('ETH', '0x1', 0, $1, 'eth', 1, $2, now())`,
      [depositAddress, orderId],
    );
    await database.pool.query(`update deposits set ${change}`);
    expect(await browser.send("deleteAccount")).toMatchObject(REFUSED);
    expect(await left()).toEqual([{ user_email: "ann@mail.example" }]);
    await database.pool.query("update deposits set review_reason = null, in_mempool = false, block_height = null");
    expect(await browser.send("deleteAccount")).toMatchObject({ http: 200 });
    expect(await left()).toEqual([]);
  });

  test.each(["order_id", "deposit_id"])("waits for a refund by its %s that is not final", async (column) => {
    const browser = await signedIn("ann@mail.example");
    const { orderId, depositAddress } = (await created(browser)).body;
    await database.pool.query("update orders set state = 'refunded'");
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into deposits (network, tx_id, output_index, address, slug, amount, order_id, detected_at)
       values ('ETH', '0x1', 0, $1, 'eth', 1, $2, now()) returning id`,
      [depositAddress, orderId],
    );
    await database.pool.query(
      `insert into payouts (${column}, purpose, network, slug, to_address, amount, state, created_at)
       values ($1, 'refund', 'ETH', 'eth', '0x2', 1, 'mined', now())`,
      [column === "order_id" ? orderId : rows[0]?.id],
    );
    expect(await browser.send("deleteAccount")).toMatchObject(REFUSED);
    await database.pool.query("update payouts set state = 'final'");
    expect(await browser.send("deleteAccount")).toMatchObject({ http: 200 });
  });

  test("waits for the payment of a withdrawal that is not final", async () => {
    const browser = await signedIn("ann@mail.example");
    await database.pool.query(
      `insert into withdrawals (user_id, slug, network, address, amount, network_fee, state, client_key, created_at, ended_at)
       select id, 'usdt-trc20', 'TRX', 'T', 10, 1, 'settled', '', now(), now() from users`,
    );
    await database.pool.query(
      `insert into payouts (withdrawal_id, purpose, network, slug, to_address, amount, state, created_at)
       select id, 'withdrawal', 'TRX', 'usdt-trc20', 'T', 9, 'mined', now() from withdrawals`,
    );
    expect(await browser.send("deleteAccount")).toMatchObject(REFUSED);
    await database.pool.query("update payouts set state = 'final'");
    expect(await browser.send("deleteAccount")).toMatchObject({ http: 200 });
  });

  test("waits for an exchange at a partner", async () => {
    const browser = await signedIn("ann@mail.example");
    const { orderId } = (await created(browser)).body;
    await database.pool.query("update orders set state = 'completed'");
    await database.pool.query(
      `insert into partner_exchanges (order_id, n, client_id, partner, from_slug, to_slug, amount, expected, to_address, state, created_at)
       values ($1, 1, 'c', 'p', 'eth', 'usdt-erc20', 1, 1, '0x2', 'review', now())`,
      [orderId],
    );
    expect(await browser.send("deleteAccount")).toMatchObject(REFUSED);
    await database.pool.query("update partner_exchanges set state = 'abandoned'");
    expect(await browser.send("deleteAccount")).toMatchObject({ http: 200 });
  });

  test("waits for what it was paid beyond its wallet, which its export lists, until that is taken", async () => {
    const browser = await signedIn("ann@mail.example");
    const { body: account } = await browser.send("accountData");
    const wallet = { userId: BigInt(Number(account["userId"])), slug: "usdt-trc20" };
    await database.pool.query(
      `insert into wallet_credits (user_id, source, slug, amount, outstanding, state, created_at)
       values ($1, 'ADJUSTMENT', $2, -5, 5, 'completed', now())`,
      [wallet.userId, wallet.slug],
    );
    const refused = { http: 422, body: { status: "ERR_UNPROCESSABLE_ENTITY", data: { outstanding: true } } };
    expect(await browser.send("deleteAccount")).toMatchObject(refused);
    expect((await browser.send("exportAccount")).body["earnings"]).toMatchObject([{ amount: "-5", outstanding: "5" }]);
    await creditAccount(database, { ...wallet, amount: 5n, at: new Date() });
    expect(await browser.send("deleteAccount")).toMatchObject(refused);
    await reverseUndone({ database, clock: { now: () => new Date() }, log: database.log });
    expect(await browser.send("deleteAccount")).toMatchObject({ http: 200 });
  });

  test("waits for no dust", async () => {
    const browser = await signedIn("ann@mail.example");
    const { orderId, depositAddress } = (await created(browser)).body;
    await database.pool.query(
      `insert into deposits (network, tx_id, output_index, address, slug, amount, order_id, detected_at, review_reason)
       values ('ETH', '0x1', 0, $1, 'eth', 1, $2, now(), 'dust')`,
      [depositAddress, orderId],
    );
    expect(await browser.send("deleteAccount")).toMatchObject({ http: 200 });
  });

  test("leaves no order with its email, however many are made and claimed at that moment", async () => {
    const guest = (await created(new AccountBrowser(app))).body;
    const order = {
      orderId: String(guest["orderId"]),
      destinationAddress: String(guest["destinationAddress"]),
    };
    const browser = await signedIn("ann@mail.example");
    const holder = await database.pool.connect();
    await holder.query("begin");
    // What a deletion does, held up before its commit.
    await holder.query("select from users for update");
    const orders = Array.from({ length: 3 }, () => created(browser.copy()));
    // From elsewhere: the calls of one client take turns, and would wait before the lock.
    const elsewhere = browser.copy();
    elsewhere.address = "198.51.100.7";
    const claim = elsewhere.send("claimOrders", { orders: [order] });
    await eventually("all at the lock", async () => {
      const { rowCount } = await database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return (rowCount ?? 0) >= 2 || null;
    });
    await holder.query("update users set email = null, deleted_at = now()");
    await holder.query("commit");
    holder.release();
    for (const { http, body } of await Promise.all(orders))
      expect({ http, status: body["status"] }).toEqual({ http: 401, status: "ERR_UNAUTHORIZED" });
    expect(await claim).toMatchObject({ http: 200, body: { claimed: [] } });
    expect(await left()).toEqual([]);
  });
});

test("an export has the orders in the archive, and all of them as they were", async () => {
  const browser = await signedIn("ann@mail.example");
  const ids = [(await created(browser)).body["orderId"], (await created(browser)).body["orderId"]].map(String);
  const exported = async () => (await browser.send("exportAccount")).body["orders"];
  const before = await exported();
  expect(before).toHaveLength(2);
  await inTransaction(database, (transaction) => archiveOrders(transaction, ids.slice(1)));
  expect(await exported()).toEqual(before);
});

describe("the export of an account", () => {
  test("contains orders of the archive too, earnings, withdrawals, keys without secrets and checks, and nobody else's", async () => {
    const browser = await signedIn("ann@mail.example");
    const { body: account } = await browser.send("accountData");
    const userId = BigInt(Number(account["userId"]));
    const [old, live] = [(await created(browser)).body, (await created(browser)).body];
    const other = await signedIn("bob@mail.example");
    const { body: theirs } = await created(other);
    await inTransaction(database, (transaction) => archiveOrders(transaction, [String(old["orderId"])]));
    await creditAccount(database, { userId, slug: "usdt-trc20", amount: 12_500_000n, at: new Date() });
    await database.pool.query(
      `insert into wallet_credits (user_id, source, slug, amount, state, order_id, order_reference, created_at)
       values ($1, 'AFFILIATE', 'usdt-trc20', 1, 'review', 'theirs', 'THEIRS', now())`,
      [userId],
    );
    await database.pool.query(
      `insert into withdrawals (user_id, slug, network, address, amount, network_fee, state, client_key, created_at, ended_at)
       values ($1, 'usdt-trc20', 'TRX', 'Taddress', 10000000, 1000000, 'rejected', '192.0.2.1', now(), now())`,
      [userId],
    );
    await database.pool.query("insert into verifications (user_id, status, created_at) values ($1, 'CREATED', now())", [
      userId,
    ]);
    const key = (await browser.send("generateApiKey", { name: "Shop", whiteListIp: "" })).body;

    const rows = [
      "insert into webhooks (id, user_id, url, secret, created_at) values (gen_random_uuid(), $1, 'https://shop.example/a', '\\x5ec7e7', now())",
      "insert into partner_orders (order_id, user_id, external_id, markup_bps, created_at) values ('PARTNERS', $1, 'cart-7', 50, now())",
      "insert into card_orders (order_id, user_id, provider, direction, merchant_id, phase) values ('BYCARD', $1, 'p', 'buy', 'm', 'ended')",
      "insert into monthly_payouts (user_id, address, set_at, month) values ($1, 'Tmonthly', now(), '2026-10')",
      "insert into referrer_ids (referrer_id, user_id, created_at) values ('ABCDEFGH', $1, now())",
      "insert into referral_clicks (user_id, day, clicks) values ($1, '2026-11-21', 3)",
    ];
    for (const row of rows) await database.pool.query(row, [userId]);

    const { http, body } = await browser.send("exportAccount");
    expect({ http, body }).toMatchObject({
      http: 200,
      body: {
        account: { email: "ann@mail.example" },
        orders: [
          { orderId: live["orderId"], state: "awaiting_deposit", completedAt: null },
          {
            orderId: old["orderId"],
            destinationAddress: old["destinationAddress"],
            createdAt: expect.stringMatching(/Z$/),
          },
        ],
        earnings: [
          { source: "ADJUSTMENT", amount: "12500000", state: "completed" },
          { source: "AFFILIATE", amount: "1", orderReference: null },
        ],
        withdrawals: [{ address: "Taddress", amount: "10000000", state: "rejected", clientAddress: "192.0.2.1" }],
        apiKeys: [{ publicKey: key["publicKey"] }],
        verifications: [{ status: "CREATED" }],
        webhooks: [{ url: "https://shop.example/a" }],
        partnerOrders: [{ orderId: "PARTNERS", externalId: "cart-7", markupBps: 50 }],
        cardOrders: [{ orderId: "BYCARD", direction: "buy" }],
        monthlyPayout: { address: "Tmonthly", lastMonth: "2026-10", outcome: null },
        referrals: {
          referrerIds: [{ referrerId: "ABCDEFGH" }],
          clicks: [{ day: "2026-11-21", clicks: 3 }],
        },
      },
    });
    const text = JSON.stringify(body);
    for (const secret of [key["secretKey"], theirs["orderId"], "THEIRS", "5ec7e7"]) expect(text).not.toContain(secret);
  });
});
