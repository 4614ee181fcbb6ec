import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls, type Call, type CallName } from "#contract/calls.ts";
import { readDeeplink } from "#contract/links/deeplink.ts";
import { orderPath } from "#contract/links/order-path.ts";
import { CardScenario } from "../../tests/support/card/card-scenario.ts";
import { callbackOf } from "../../tests/support/card/mercuryo-server.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { createCardAccounts } from "./index.ts";

type Listed = { slug: string; cardMinAmount?: string | null };

let database: TestDatabase;
let scenario: CardScenario;
let app: TestApp;
let buyer: AccountBrowser;
let other: AccountBrowser;

const PASSWORD = "correct horse battery 9";
const signedIn = async (email: string, address: string): Promise<AccountBrowser> => {
  const browser = new AccountBrowser(app, address);
  const body = { email, password: PASSWORD, browserFingerprint: address };
  await browser.send("createLocal", body);
  await browser.send("authenticateLocal", body);
  return browser;
};

beforeAll(async () => {
  database = await freshDatabase();
  scenario = await new CardScenario(database).start();
  const { engine } = await scenario.engine();
  const rates = scenario.cardRates();
  app = await testApp(database, {
    orderService: engine.orderService,
    card: {
      provider: scenario.provider,
      rates,
      accounts: createCardAccounts(database, scenario.provider),
      takeCallback: async (rawBody, signature) => engine.cardOrders?.takeCallback(rawBody, signature),
    },
  });
  buyer = await signedIn("m.larsen@example.com", "192.0.2.1");
  other = await signedIn("other@example.com", "192.0.2.2");
});
afterAll(async () => {
  await app.close();
  await scenario.stop();
  await database.drop();
});

const get = async (
  browser: AccountBrowser,
  name: CallName,
  { query = "", token }: { query?: string; token?: string },
) => {
  const call: Call = calls[name];
  const cookie = [...browser.cookies].map(([key, { value }]) => `${key}=${value}`).join("; ");
  const headers = { cookie, ...(token !== undefined && { "x-mercuryo-bearer-token": token }) };
  const answer = await app.inject({ method: "GET", url: `${call.path}${query}`, headers });
  return { http: answer.statusCode, body: answer.json<Record<string, unknown>>() };
};
const rate = async (query: string, remoteAddress = "127.0.0.1") => {
  const url = `/api/v2/rates/public/one?exchangeType=fiat&${query}`;
  const answer = await app.inject({ method: "GET", url, remoteAddress });
  return { http: answer.statusCode, body: answer.json<Record<string, never>>() };
};

describe("fiat rates", () => {
  it("list their fees, which add up", async () => {
    const { body } = await rate("instrumentFromSlug=usd&instrumentToSlug=ltc&claimedDepositAmount=100");
    expect(body).toMatchObject({
      liquidityProviderPublicCode: "mercuryo",
      amountToGive: "100",
      amountToGet: "0.96",
      noKycThreshold: "150",
      platformFee_Absolute: "0.005",
      depositRules: { minAmount: "30", maxAmount: "10000" },
      card: {
        provider: "Mercuryo",
        fees: [
          { kind: "processing", amount: "3.5" },
          { kind: "platform", amount: "0.5" },
          { kind: "network", amount: "0" },
        ],
        marketValue: "96",
      },
    });
    const sale = await rate("instrumentFromSlug=ltc&instrumentToSlug=usd&claimedDepositAmount=1");
    expect(sale.body).toMatchObject({ amountToGet: "96", card: { direction: "sell", marketValue: "100" } });
  });

  it.each([
    [
      "under the provider's minimum",
      "instrumentFromSlug=usd&instrumentToSlug=ltc&claimedDepositAmount=29.99",
      "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
    ],
    [
      "over its maximum",
      "instrumentFromSlug=ltc&instrumentToSlug=usd&claimedDepositAmount=100.01",
      "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
    ],
    [
      "at a fixed rate",
      "instrumentFromSlug=usd&instrumentToSlug=ltc&claimedDepositAmount=100&rateMode=FIXED",
      "ERR_NOT_ACCEPTABLE",
    ],
    ["between coins", "instrumentFromSlug=ltc&instrumentToSlug=eth&claimedDepositAmount=1", "ERR_PAIR_NOT_ACTIVE"],
    [
      "with too many decimals",
      "instrumentFromSlug=usd&instrumentToSlug=ltc&claimedDepositAmount=100.001",
      "ERR_VALIDATION",
    ],
  ])("%s are refused", async (_, query, status) => {
    expect((await rate(query)).body).toMatchObject({ status });
  });

  it("find what to send for what should arrive", async () => {
    const query =
      "instrumentFromSlug=usd&instrumentToSlug=ltc&claimedDepositAmount=0.96&claimedDepositAmountCurrency=ltc";
    expect((await rate(query)).body).toMatchObject({ amountToGive: "100", amountToGet: "0.96" });
  });

  it("are 503 while the provider is silent", async () => {
    scenario.server.faults.push({ path: /widget\/buy\/rate/, fault: "500" });
    const { http, body } = await rate("instrumentFromSlug=usd&instrumentToSlug=ltc&claimedDepositAmount=77");
    expect([http, body]).toMatchObject([503, { status: "ERR_SERVICE_UNAVAILABLE" }]);
  });

  it("cost the provider only so many questions for one client, and others none of theirs", async () => {
    const buying = (amount: number, address: string) =>
      rate(`instrumentFromSlug=usd&instrumentToSlug=ltc&claimedDepositAmount=${amount}`, address);
    const before = scenario.server.asked.length;
    const answers = [];
    for (let n = 0; n < 40; n += 1) answers.push(await buying(1000 + n, "192.0.2.50"));
    const asked = scenario.server.asked.slice(before).map(({ path }) => path);
    expect(asked.length).toBeLessThan(30);
    expect(asked.filter((path) => path === "widget/rates/fee-off").length).toBeLessThan(2);
    expect(answers.at(0)).toMatchObject({ http: 200 });
    expect(answers.at(-1)).toMatchObject({ http: 503, body: { status: "ERR_SERVICE_UNAVAILABLE" } });
    expect(await buying(1000, "192.0.2.50")).toMatchObject({ http: 200 });
    expect(await buying(2000, "192.0.2.51")).toMatchObject({ http: 200 });
  });
});

it("lists what the provider trades, and the least that a purchase costs once it has said so", async () => {
  const list = async (query: string) =>
    (await app.inject({ method: "GET", url: `/api/v2/instruments/public?${query}` })).json<Listed[]>();
  await eventually("the least is known", async () => {
    const known = (await list("providers=mercuryo")).find(({ slug }) => slug === "usd");
    return known?.cardMinAmount === "30" || null;
  });
  const slugs = (await list("providers=mercuryo")).map(({ slug }) => slug);
  expect(slugs).toEqual(expect.arrayContaining(["usd", "eur", "ltc"]));
  expect(slugs).not.toContain("xmr");
  expect((await list("providers=nobody")).map(({ slug }) => slug)).not.toContain("usd");
});

describe("the provider's users", () => {
  it("are registered once, by the account's own email", async () => {
    expect(await buyer.send("cardSignUp", { accept: true, email: "other@example.com" })).toMatchObject({ http: 400 });
    expect(await buyer.send("cardSignIn", {})).toMatchObject({ http: 404 });
    expect(await buyer.send("cardSignUp", { accept: true })).toMatchObject({ http: 200 });
    expect(await buyer.send("cardSignUp", { accept: true, email: "M.Larsen@example.com" })).toMatchObject({
      http: 409,
      body: { status: "ERR_USER_ALREADY_REGISTERED" },
    });
    expect(await new AccountBrowser(app).send("cardSignUp", { accept: true })).toMatchObject({ http: 401 });
  });

  it("are verified step by step, and another account's token is refused", async () => {
    const { bearerToken } = (await buyer.send("cardSignIn", {})).body;
    const token = String(bearerToken);
    const user = scenario.server.users.get("m.larsen@example.com");
    if (user === undefined) throw new Error("the user is not registered");
    expect(token).not.toContain(user.token);
    expect(await get(buyer, "cardContacts", { token })).toMatchObject({ body: { emailStatus: "not_confirmed" } });
    user.isConfirmed = true;
    const query = `?mercuryoBearerToken=${token}`;
    expect(await get(buyer, "cardContacts", { query })).toMatchObject({ body: { emailStatus: "confirmed" } });
    expect(await get(buyer, "cardKycStatus", { token })).toMatchObject({
      body: { features: [{ feature: "crypto", status: "incomplete" }] },
    });
    expect(await get(buyer, "cardAccessToken", { token })).toMatchObject({
      body: {
        applicantId: "a-1",
        verificationUrl: "https://pay.example/kyc?access_token=kyc+of+m.larsen%40example.com",
      },
    });
    expect(await get(other, "cardContacts", { token })).toMatchObject({ http: 403, body: { status: "ERR_FORBIDDEN" } });
    expect(await get(buyer, "cardContacts", { token: "made up" })).toMatchObject({ http: 403 });
    expect(await get(buyer, "cardContacts", {})).toMatchObject({ http: 400 });
  });

  it("cost the provider only so many questions for one account, and others none of theirs", async () => {
    const [asker, another] = [
      await signedIn("asker@example.com", "192.0.2.71"),
      await signedIn("b@example.com", "192.0.2.72"),
    ];
    const before = scenario.server.asked.length;
    const answers = [];
    for (let n = 0; n < 40; n += 1) answers.push(await asker.send("cardSignIn", {}));
    expect(scenario.server.asked.length - before).toBeLessThan(30);
    expect(answers.at(0)).toMatchObject({ http: 404 });
    expect(answers.at(-1)).toMatchObject({ http: 503, body: { status: "ERR_SERVICE_UNAVAILABLE" } });
    expect(await another.send("cardSignUp", { accept: true })).toMatchObject({ http: 200 });
  });
});

describe("a provider's user whom another person's documents have verified", () => {
  const above = () =>
    scenario.body("buy", {
      claimedDepositAmount: "150",
      claimedPublicRate: { price: "0.0096", claimedAmountToReceive: "1.44", updatedAt: scenario.now.toISOString() },
    });
  const verified = (email: string) =>
    scenario.server.users.set(email, { email, token: `token of ${email}`, isConfirmed: true, kyc: "complete" });
  const unproved = { http: 403, body: { status: "ERR_FORBIDDEN", message: "Confirm the account's email first." } };

  it("is nobody's who only registered with the email here, before and after its token is remembered", async () => {
    verified("victim@example.com");
    const thief = await signedIn("victim@example.com", "192.0.2.66");
    const before = scenario.server.transactions.length;
    for (const _ of [1, 2]) {
      expect(await thief.send("cardSignUp", { accept: true })).toMatchObject({ http: 409 });
      expect(await thief.send("cardSignIn", {})).toMatchObject(unproved);
      expect(await thief.send("createOrder", above())).toMatchObject(unproved);
      expect(await thief.send("createOrder", scenario.body())).toMatchObject(unproved);
    }
    expect(scenario.server.transactions).toHaveLength(before);
    await database.pool.query("update users set email_confirmed_at = now() where email = 'victim@example.com'");
    expect(await thief.send("createOrder", above())).toMatchObject({ http: 200 });
  });

  it("is not inherited with the email of an account that registered it and was deleted", async () => {
    const first = await signedIn("leaver@example.com", "192.0.2.67");
    expect(await first.send("cardSignUp", { accept: true })).toMatchObject({ http: 200 });
    verified("leaver@example.com");
    expect(await first.send("createOrder", above())).toMatchObject({ http: 200 });
    await database.pool.query("update users set email = null, deleted_at = now() where email = 'leaver@example.com'");
    const next = await signedIn("leaver@example.com", "192.0.2.68");
    expect(await next.send("cardSignIn", {})).toMatchObject(unproved);
    expect(await next.send("createOrder", above())).toMatchObject(unproved);
  });
});

describe("orders by card", () => {
  const above = () =>
    scenario.body("buy", {
      claimedDepositAmount: "150",
      claimedPublicRate: { price: "0.0096", claimedAmountToReceive: "1.44", updatedAt: scenario.now.toISOString() },
    });

  it("need a session, and verification from the threshold on", async () => {
    expect(await new AccountBrowser(app).send("createOrder", scenario.body())).toMatchObject({ http: 401 });
    expect(await buyer.send("createOrder", above())).toMatchObject({
      http: 403,
      body: { status: "ERR_FORBIDDEN", message: "KYC verification needed." },
    });
    const user = scenario.server.users.get("m.larsen@example.com");
    if (user !== undefined) user.kyc = "complete";
    expect(await buyer.send("createOrder", above())).toMatchObject({ http: 200 });
  });

  it("below it register whoever is new", async () => {
    const { http, body } = await other.send("createOrder", scenario.body());
    expect([http, body]).toMatchObject([
      200,
      {
        depositAddress: null,
        depositUri: "",
        redirectUrl: expect.stringContaining("https://pay.example/buy"),
        card: {
          state: "opened",
          quoted: {
            fees: [
              { kind: "processing", amount: "3.5" },
              { kind: "platform", amount: "0.5" },
              { kind: "network", amount: "0" },
            ],
            marketValue: "96",
          },
        },
      },
    ]);
    expect(scenario.server.users.has("other@example.com")).toBe(true);
  });

  it("have one answer for one Idempotency-Key", async () => {
    const before = scenario.server.transactions.length;
    const headers = { "idempotency-key": "k-1" };
    const [one, two] = await Promise.all([
      buyer.send("createOrder", scenario.body(), headers),
      buyer.send("createOrder", scenario.body(), headers),
    ]);
    expect(two.body).toEqual(one.body);
    expect(scenario.server.transactions).toHaveLength(before + 1);
  });

  it("that sell have the provider's address and a destination of 22 characters", async () => {
    const { body } = await buyer.send("createOrder", scenario.body("sell"));
    expect(body["destinationAddress"]).toMatch(/^[A-Za-z0-9]{22}$/);
    expect(body["depositAddress"]).toMatch(/^provider-m/);
  });

  it("follow a claimed rate within 2 %, and answer the rate where it differs more", async () => {
    const claim = { price: "0.0099", claimedAmountToReceive: "0.99", updatedAt: scenario.now.toISOString() };
    expect(await buyer.send("createOrder", scenario.body("buy", { claimedPublicRate: claim }))).toMatchObject({
      http: 422,
      body: { status: "ERR_UNPROCESSABLE_ENTITY", data: { rate: { amountToGet: "0.96" } } },
    });
  });

  it.each([
    ["the site", {}, "https://wherry.example"],
    ["the site in its language", { locale: "ru" }, "https://wherry.example/ru"],
    ["the mini-app, which opens the order by its start parameter", { shell: "telegram" as const }, null],
  ])("are led back to from the provider's page: %s", async (_, changes, site) => {
    const { body } = await buyer.send("createOrder", scenario.body("buy", changes));
    const opening = { path: "b2b/oor/buy", body: { return_url: expect.any(String) } };
    const asked = scenario.server.asked.findLast(({ path }) => path === opening.path);
    expect(asked).toMatchObject(opening);
    const { return_url: back = "" } = (asked?.body ?? {}) as { return_url?: string };
    const page = orderPath(String(body["orderId"]), "destination");
    if (site !== null) return expect(back).toBe(`${site}${page}`);
    expect(back).toMatch(/^https:\/\/t\.me\/wherry_bot\/app\?startapp=/);
    expect(readDeeplink(new URL(back).searchParams.get("startapp") ?? "")).toBe(page);
  });

  it.each([
    ["a quarter of what was offered", "0.25", "24.00", "amounts"],
    ["what was offered", "1.00000000", "96.00", null],
  ])(
    "that sold %s earn the fee of as much, which waits where the sums differ",
    async (_, coinAmount, fiatAmount, review) => {
      const { body } = await buyer.send("createOrder", scenario.body("sell"));
      const deposit = scenario.server.transactions.at(-1);
      if (deposit === undefined) throw new Error("nothing was opened");
      const post = async (changes: Partial<typeof deposit>) => {
        const { body: payload, signature } = callbackOf({ ...deposit, coinAmount, ...changes });
        const headers = { "content-type": "application/json", "x-signature": signature };
        const answer = await app.inject({ method: "POST", url: calls.cardCallback.path, payload, headers });
        expect(answer.statusCode).toBe(200);
      };
      await post({ status: "completed", txId: `deposit of ${coinAmount}` });
      await post({ type: "sell", status: "completed", fiatAmount });
      const { rows } = await database.pool.query<{ amount: string; review: string | null }>(
        "select amount, review_reason as review from wallet_credits where order_id = $1",
        [body["orderId"]],
      );
      const [earned] = rows;
      expect([rows.length, earned?.review]).toEqual([1, review]);
      // 5 % of our fee, which was 0.48 USD of the whole.
      expect(Number(earned?.amount)).toBe(Number(coinAmount) * 24_000);
    },
  );

  it("take the provider's signed callbacks", async () => {
    const { body } = await buyer.send("createOrder", scenario.body());
    const transaction = scenario.server.transactions.at(-1);
    if (transaction === undefined) throw new Error("nothing was opened");
    Object.assign(transaction, { status: "paid" });
    const { body: payload, signature } = callbackOf(transaction);
    const post = (headers: Record<string, string>) =>
      app.inject({
        method: "POST",
        url: calls.cardCallback.path,
        payload,
        headers: { "content-type": "application/json", ...headers },
      });
    expect((await post({})).statusCode).toBe(401);
    expect((await post({ "x-signature": "0".repeat(64) })).statusCode).toBe(401);
    expect((await post({ "x-signature": signature })).statusCode).toBe(200);
    const query = `?orderId=${String(body["orderId"])}&destinationAddress=destination`;
    expect((await get(buyer, "orderInfo", { query })).body).toMatchObject({ status: "INCOMING_FUNDS_DETECTED" });
  });
});
