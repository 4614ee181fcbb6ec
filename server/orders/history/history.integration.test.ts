import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { archiveOrders, returnArchivedOrders } from "../../db/archived-orders.ts";
import { inTransaction } from "../../db/transaction.ts";

const PASSWORD = "a long enough phrase";
const ETH = 10n ** 18n;
const DAYS = ["2026-11-19", "2026-11-20", "2026-11-21"] as const;

let database: TestDatabase;
let app: TestApp;
let chain: FakeChain;
let testEngine: TestEngine;
let now = new Date();
let ann: AccountBrowser;
/** Of Ann, one each day: paid out, open, expired. */
let ids: string[];

async function signedIn(email: string): Promise<AccountBrowser> {
  const browser = new AccountBrowser(app);
  await browser.send("createLocal", { email, password: PASSWORD });
  expect(await browser.send("authenticateLocal", { email, password: PASSWORD })).toMatchObject({ http: 200 });
  return browser;
}

beforeAll(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, now: () => now });
  app = await testApp(database, { orderService: testEngine.engine.orderService });
  ann = await signedIn("ann@mail.example");
  ids = [];
  for (const day of DAYS) {
    now = new Date(`${day}T12:00:00.000Z`);
    const { http, body } = await ann.send("createOrder", orderBody());
    expect({ http, body }).toMatchObject({ http: 200 });
    ids.push(String(body["orderId"]));
    if (day !== DAYS[0]) continue;
    chain.deposit(String(body["depositAddress"]), "eth", ETH);
    for (let block = 0; block < 20; block += 1) {
      chain.mine();
      await testEngine.settle();
    }
  }
  await database.pool.query("update orders set state = 'expired' where id = $1", [ids[2]]);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

type Listed = { items: { orderId: string; reference: string; status: string }[]; total: number };

const listed = async (browser: AccountBrowser, query: Record<string, string> = {}) => {
  const { http, body } = await browser.read("orderHistory", query);
  expect({ http, body }).toMatchObject({ http: 200 });
  const { items, total } = body as Listed;
  return { days: items.map(({ orderId }) => ids.indexOf(orderId)), total };
};

const csv = async (query: Record<string, string> = {}, browser = ann) => {
  const { http, type, body } = await browser.read("orderHistoryCsv", query);
  expect({ http, type }).toEqual({ http: 200, type: "text/csv; charset=utf-8" });
  return String(body).split("\r\n").slice(1, -1);
};

/** Runs with the finished order in the archive, as an operator's command leaves it. */
async function archived(check: () => Promise<void>): Promise<void> {
  const [completed = ""] = ids;
  await inTransaction(database, (transaction) => archiveOrders(transaction, [completed]));
  try {
    await check();
  } finally {
    await inTransaction(database, (transaction) => returnArchivedOrders(transaction, [completed]));
  }
}

describe("an account's orders", () => {
  it("are listed the newest first, in parts of a whole", async () => {
    expect(await listed(ann)).toEqual({ days: [2, 1, 0], total: 3 });
    expect(await listed(ann, { limit: "1" })).toEqual({ days: [2], total: 3 });
    expect(await listed(ann, { limit: "2", offset: "1" })).toEqual({ days: [1, 0], total: 3 });
    expect(await listed(ann, { offset: "9" })).toEqual({ days: [], total: 3 });
  });

  it.each<[Record<string, string>, number[]]>([
    [{ state: "COMPLETED" }, [0]],
    [{ state: "OPEN" }, [1]],
    [{ state: "EXPIRED" }, [2]],
    [{ state: "REFUNDED" }, []],
    [{ from: "2026-11-20" }, [2, 1]],
    [{ to: "2026-11-20" }, [1, 0]],
    [{ from: "2026-11-20", to: "2026-11-20" }, [1]],
    [{ from: "2026-11-20T12:00:00.000Z" }, [2, 1]],
    [{ to: "2026-11-20T12:00:00.000Z" }, [0]],
    [{ from: "2026-11-20T14:00:00.000000+02:00" }, [2, 1]],
    [{ to: "2026-11-20T12:00:00+00:00" }, [0]],
    [{ from: "2026-11-20T22:00:00+23:00" }, [2, 1]],
    [{ from: "2026-11-20", state: "COMPLETED" }, []],
    [{ search: "eth" }, [2, 1, 0]],
    [{ search: " Tether" }, [2, 1, 0]],
    [{ search: "monero" }, []],
    [{ search: "th" }, []],
    [{ search: "%" }, []],
    [{ search: " " }, [2, 1, 0]],
    [{ from: "0001-01-01", to: "9999-12-31" }, [2, 1, 0]],
  ])("are narrowed by %j", async (query, days) => {
    expect(await listed(ann, query)).toEqual({ days, total: days.length });
  });

  it("are narrowed to ids, of which others' are left out", async () => {
    const guest = new AccountBrowser(app);
    const { body } = await guest.send("createOrder", orderBody());
    const orderIds = [ids[0], body["orderId"], "A".repeat(24)].join(",");
    expect(await listed(ann, { orderIds })).toEqual({ days: [0], total: 1 });
  });

  it("are found by the beginning of a reference, hyphen and case aside", async () => {
    const { items } = (await ann.read("orderHistory")).body as Listed;
    const reference = items[1]?.reference ?? "";
    for (const search of [reference, reference.toLowerCase(), reference.replace("-", ""), reference.slice(0, 7)])
      expect(await listed(ann, { search })).toEqual({ days: [1], total: 1 });
    expect(await listed(ann, { search: reference.slice(1) })).toEqual({ days: [], total: 0 });
  });

  it("are there while they are in the archive, too", async () => {
    const query = { orderIds: ids[0] ?? "" };
    const before = (await ann.read("orderHistory", query)).body as Listed;
    expect(before.items).toMatchObject([{ status: "WITHDRAWAL_COMPLETED" }]);
    await archived(async () => {
      expect(await listed(ann)).toEqual({ days: [2, 1, 0], total: 3 });
      expect(await listed(ann, { state: "COMPLETED" })).toEqual({ days: [0], total: 1 });
      expect(await listed(ann, { state: "COMPLETED", search: "usdt" })).toEqual({ days: [0], total: 1 });
      expect(await listed(ann, { state: "COMPLETED", search: "xmr" })).toEqual({ days: [], total: 0 });
      expect((await ann.read("orderHistory", query)).body).toEqual(before);
      expect(await csv()).toHaveLength(1);
    });
  });

  it("are nobody else's", async () => {
    expect(await listed(await signedIn("bob@mail.example"))).toEqual({ days: [], total: 0 });
    for (const name of ["orderHistory", "orderHistoryCsv"] as const)
      expect(await new AccountBrowser(app).read(name)).toMatchObject({
        http: 401,
        body: { status: "ERR_UNAUTHORIZED" },
      });
  });

  it.each([
    [{ limit: "101" }, "limit"],
    [{ limit: "0" }, "limit"],
    [{ offset: "-1" }, "offset"],
    [{ state: "DONE" }, "state"],
    [{ from: "yesterday" }, "from"],
    [{ search: "x".repeat(65) }, "search"],
    [{ from: "0000-01-01" }, "from"],
    [{ to: "0000-01-01T00:00:00Z" }, "to"],
    [{ orderIds: "a,,b" }, "orderIds"],
    [{ orderIds: Array(101).fill("a").join(",") }, "orderIds"],
  ])("are not listed by %j", async (query, field) => {
    expect(await ann.read("orderHistory", query)).toMatchObject({
      http: 400,
      body: { status: "ERR_VALIDATION", data: { [field]: expect.any(String) } },
    });
  });

  it("are a line of CSV each, where something was paid", async () => {
    const { items } = (await ann.read("orderHistory", { state: "COMPLETED" })).body as Listed;
    const [line = ""] = await csv();
    expect(line).toMatch(
      new RegExp(`^2026-11-19T[\\d:.]+Z,1,ETH,[\\d.]+,USDT,[\\d.]+,USDT,${items[0]?.reference},\\S+ \\S+$`),
    );
    expect(await csv({ state: "EXPIRED" })).toEqual([]);
  });

  it("are read as CSV once at a time for one account", async () => {
    const bob = await signedIn("csv@mail.example");
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("lock table orders");
    const answers = Array.from({ length: 5 }, () => csv());
    const waiting = async () =>
      (await holder.query("select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))"))
        .rowCount ?? 0;
    await eventually("one is read", async () => ((await waiting()) > 0 ? true : null));
    // Asked for after them, so that they had their time.
    const other = csv({}, bob);
    await eventually("another account's is read too", async () => ((await waiting()) > 1 ? true : null));
    expect(await waiting()).toBe(2);
    await holder.query("commit");
    holder.release();
    expect(await Promise.all(answers)).toHaveLength(5);
    await other;
  });

  it("lose their owner and email with the account, in the archive too", async () => {
    const gone = await signedIn("gone@mail.example");
    await database.pool.query(
      "update orders set user_id = (select id from users where email = 'gone@mail.example') where id = $1",
      [ids[0]],
    );
    await archived(async () => {
      expect(await gone.send("deleteAccount")).toMatchObject({ http: 200 });
      const { rows } = await database.pool.query("select user_id, document::text as document from archived_orders");
      expect(rows).toEqual([{ user_id: null, document: expect.not.stringContaining("ann@mail.example") }]);
    });
  });
});
