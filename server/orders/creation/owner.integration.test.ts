import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { BOT_TOKEN, testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { launchData } from "../../../tests/support/services/launch-data.ts";
import { createTestEngine, orderBody } from "../../../tests/support/scenarios/test-engine.ts";

const PASSWORD = "a long enough phrase";
const ANN = "ann@mail.example";

let database: TestDatabase;
let app: TestApp;
/** Queries, each of which takes a connection. */
let acquired = 0;
beforeAll(async () => {
  database = await freshDatabase();
  database.pool.on("acquire", () => (acquired += 1));
  const chain = new FakeChain();
  const { engine } = await createTestEngine({ database, reader: chain, wallet: chain });
  app = await testApp(database, { orderService: engine.orderService });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function signedIn(email: string) {
  const browser = new AccountBrowser(app);
  await browser.send("createLocal", { email, password: PASSWORD });
  expect(await browser.send("authenticateLocal", { email, password: PASSWORD })).toMatchObject({ http: 200 });
  const { body } = await browser.send("accountData");
  return { browser, userId: String(body["userId"]) };
}

const created = async (browser: AccountBrowser, userEmail: string | null) => {
  const { http, body } = await browser.send("createOrder", { ...orderBody(), userEmail });
  expect({ http, body }).toMatchObject({ http: 200 });
  return { orderId: String(body["orderId"]), destinationAddress: String(body["destinationAddress"]) };
};

const ownerOf = async (orderId: string) => {
  const { rows } = await database.pool.query(
    "select user_id::text as owner, user_email as email from orders where id = $1",
    [orderId],
  );
  return rows[0] as unknown;
};

describe("an order", () => {
  it("of a signed-in person carries the account and its email, whatever was typed", async () => {
    const { browser, userId } = await signedIn(ANN);
    for (const typed of [null, "other@mail.example"]) {
      const { orderId } = await created(browser, typed);
      expect(await ownerOf(orderId)).toEqual({ owner: userId, email: ANN });
    }
  });

  it("of a guest has no owner until an account that can open it claims it", async () => {
    const order = await created(new AccountBrowser(app), null);
    expect(await ownerOf(order.orderId)).toEqual({ owner: null, email: null });
    expect(await new AccountBrowser(app).send("claimOrders", { orders: [order] })).toMatchObject({ http: 401 });

    const { browser, userId } = await signedIn("bob@mail.example");
    const wrong = { ...order, destinationAddress: "elsewhere" };
    const unknown = { ...order, orderId: "A".repeat(24) };
    expect(await browser.send("claimOrders", { orders: [wrong, unknown] })).toMatchObject({ body: { claimed: [] } });
    expect(await ownerOf(order.orderId)).toEqual({ owner: null, email: null });
    expect(await browser.send("claimOrders", { orders: [wrong, order] })).toMatchObject({
      http: 200,
      body: { claimed: [order.orderId] },
    });
    expect(await ownerOf(order.orderId)).toEqual({ owner: userId, email: "bob@mail.example" });
    expect(await browser.send("claimOrders", { orders: [order] })).toMatchObject({
      body: { claimed: [order.orderId] },
    });
  });

  it.each([1, 100])("is claimed with %i others by one read and one write", async (count) => {
    const order = await created(new AccountBrowser(app), null);
    const { browser } = await signedIn(`many${count}@mail.example`);
    const orders = Array.from({ length: count }, (_, n) =>
      n === count - 1 ? order : { ...order, orderId: `${n}`.padStart(24, "A") },
    );
    await browser.send("claimOrders", { orders: [] });
    const queries = async (given: typeof orders) => {
      const before = acquired;
      expect(await browser.send("claimOrders", { orders: given })).toMatchObject({ http: 200 });
      return acquired - before;
    };
    expect((await queries(orders)) - (await queries([]))).toBe(1);
    expect(await ownerOf(order.orderId)).toMatchObject({ email: `many${count}@mail.example` });
  });

  it("of another account is not claimed, and keeps the email that its guest entered", async () => {
    const order = await created(new AccountBrowser(app), "guest@mail.example");
    const first = await signedIn("carol@mail.example");
    await first.browser.send("claimOrders", { orders: [order] });
    const second = await signedIn("dan@mail.example");
    expect(await second.browser.send("claimOrders", { orders: [order] })).toMatchObject({ body: { claimed: [] } });
    expect(await ownerOf(order.orderId)).toEqual({ owner: first.userId, email: "guest@mail.example" });
  });

  it("of a Telegram account moves to the local one that it is linked to", async () => {
    const initData = launchData(BOT_TOKEN, {
      auth_date: String(Math.floor(app.market.now.getTime() / 1000)),
      user: JSON.stringify({ id: 77 }),
    });
    const framed = new AccountBrowser(app);
    const { body } = await framed.send("createByTelegram", { initData });
    const headers = { authorization: `Bearer ${String(body["accessToken"])}` };
    const made = await framed.send("createOrder", orderBody(), headers);
    const orderId = String(made.body["orderId"]);
    expect(await ownerOf(orderId)).toEqual({ owner: String(body["userId"]), email: null });

    const { browser, userId } = await signedIn("eve@mail.example");
    await browser.send("linkTelegram", { initData });
    expect(await ownerOf(orderId)).toMatchObject({ owner: userId });
  });
});

describe("claims", () => {
  const claim = async ({ browser }: { browser: AccountBrowser }) => browser.send("claimOrders", { orders: [] });
  const twenty = async (next: (n: number) => Promise<{ http: number }>) => {
    const found = [];
    for (let n = 0; n < 20; n += 1) found.push((await next(n)).http);
    expect(new Set(found)).toEqual(new Set([200]));
  };

  it("of one account are twenty a minute, from whatever address; another's go on", async () => {
    const frank = await signedIn("frank@mail.example");
    await twenty((n) => {
      frank.browser.address = `198.51.100.${n}`;
      return claim(frank);
    });
    frank.browser.address = "198.51.100.100";
    expect(await claim(frank)).toMatchObject({ http: 429, retryAfter: expect.stringMatching(/^[1-9]\d?$/) });
    expect(await frank.browser.send("accountData")).toMatchObject({ http: 200 });
    const other = await signedIn("grace@mail.example");
    other.browser.address = "198.51.100.100";
    expect(await claim(other)).toMatchObject({ http: 200 });
  });

  it("of one client are twenty a minute, by whatever account; others' go on", async () => {
    const names = ["heidi", "ivan", "judy"];
    const people: Awaited<ReturnType<typeof signedIn>>[] = [];
    for (const name of names) people.push(await signedIn(`${name}@mail.example`));
    for (const { browser } of people) browser.address = "203.0.113.9";
    const [first, second, third] = people;
    if (first === undefined || second === undefined || third === undefined) throw new Error("three people");
    await twenty((n) => claim(n % 2 === 0 ? first : second));
    expect(await claim(third)).toMatchObject({ http: 429 });
    third.browser.address = "203.0.113.10";
    expect(await claim(third)).toMatchObject({ http: 200 });
  });
});
