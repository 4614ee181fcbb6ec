import { execFileSync } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls, type CallName } from "#contract/calls.ts";
import { parseAmount } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { socketMessageSchema, type PairData } from "#contract/rate.ts";
import { securityEventSchema } from "../../server/base/logging/security-log.ts";
import { SANDBOX_BOT_TOKEN } from "../../server/config/telegram.ts";
import { Api, Refusal } from "../support/http/api.ts";
import { readTokenContracts } from "../../server/db/token-contracts.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { eventually } from "../support/eventually.ts";
import { launchData } from "../support/services/launch-data.ts";
import { applicationFor, bodyOf, randomAddress, rateOf } from "../support/scenarios/http-swap.ts";
import { browserKeys } from "../support/services/push-service.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { sampleForm } from "../support/http/verification-form.ts";
import { SocketClient } from "../support/http/socket-client.ts";

const EQUAL_CALLS = 20;
/** A push service that accepts nothing. */
const NOBODY = "http://127.0.0.1:9";

let database: TestDatabase;
let server: ServerProcess;
let api: Api;
let folder: string;

beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
  folder = await mkdtemp(join(tmpdir(), "wherry-security-"));
  const env = { SANDBOX_PUSH_SERVICE: NOBODY, SECURITY_LOG: join(folder, "security.log") };
  // All calls are one client's, and many of them sign somebody in first.
  server = await ServerProcess.start({ DATABASE_URL: database.url, RATE_LIMIT_SIGN_INS: "1000", ...env });
  api = new Api(server.url);
});
afterAll(async () => {
  await server.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const setPrice = (slug: string, price: string) => api.call("sandboxMarket", { body: { slug, price } });

describe("every public call", () => {
  let order: Order;
  beforeAll(async () => {
    order = await api.call("createOrder", await applicationFor(api));
  });

  const refunding = () => ({
    orderId: order.orderId,
    destinationAddress: order.destinationAddress,
    refundAddress: randomAddress(),
    refundAmount: "0",
    claimedNetworkFee: "0",
  });
  const recommending = {
    instrumentFromCurrencyTitle: "ETH",
    instrumentFromNetworkTitle: "ETH",
    instrumentToCurrencyTitle: "USDT",
    instrumentToNetworkTitle: "ETH",
  };
  const rating = { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "0.5" };

  /** One call of each; `null` is a refusal that the contract asks for. */
  const asked: { [Name in CallName]: () => Promise<unknown> } = {
    latestOrders: () => api.call("latestOrders", {}),
    askedPairs: () => api.call("askedPairs", {}),
    pairActivity: () =>
      api.call("pairActivity", { query: { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20" } }),
    orderInfo: () => api.call("orderInfo", { query: order }),
    orderState: () => api.call("orderState", { query: { orderId: order.orderId } }),
    refundInfo: () => api.call("refundInfo", { query: order }),
    createOrder: async () => api.call("createOrder", await applicationFor(api)),
    setEmail: () => api.call("setEmail", { body: { orderId: order.orderId, userEmail: "a@mail.example" } }),
    requestRefund: () => refused(api.call("requestRefund", { body: refunding() })),
    stopRefund: () =>
      refused(api.call("stopRefund", { body: { orderId: order.orderId, token: "A".repeat(43) } }), {
        httpStatus: 404,
        failure: { status: "ERR_NOT_FOUND_E" },
      }),
    acceptRateModeChange: () => refused(api.call("acceptRateModeChange", { body: order })),
    pushKey: () => api.call("pushKey", {}),
    subscribePush: () => {
      const { endpoint, keys } = aSubscription();
      return api.call("subscribePush", { body: { ...order, endpoint, keys, locale: "en" } });
    },
    unsubscribePush: () => api.call("unsubscribePush", { body: { ...order, endpoint: aSubscription().endpoint } }),
    validateAddress: () =>
      api.call("validateAddress", { body: { currencyTitle: "ETH", networkTitle: "ETH", address: randomAddress() } }),
    health: () => api.call("health", {}),
    healthz: () => api.call("healthz", {}),
    defaultPair: () => api.call("defaultPair", {}),
    recommendedAmount: () => api.call("recommendedAmount", { query: recommending }),
    rate: () => api.call("rate", { query: rating }),
    instruments: () => api.call("instruments", { query: { all: "true" } }),
    instrumentsV1: () => api.call("instrumentsV1", { query: {} }),
    pairs: () => api.call("pairs", {}),
    stats: () => api.call("stats", {}),
    seoTexts: () => api.call("seoTexts", { body: { params: { page: "exchange", locale: "ru" } } }),
    redirects: () => api.call("redirects", {}),
    prices: () => api.call("prices", {}),
    priceHistory: () => api.call("priceHistory", { params: { symbol: "eth" }, query: {} }),
    cardSignUp: () => refused(api.call("cardSignUp", { body: { accept: true } }), SIGNED_OUT),
    cardSignIn: () => refused(api.call("cardSignIn", { body: {} }), SIGNED_OUT),
    cardContacts: () => refused(api.call("cardContacts", { query: {} }), SIGNED_OUT),
    cardKycStatus: () => refused(api.call("cardKycStatus", { query: {} }), SIGNED_OUT),
    cardAccessToken: () => refused(api.call("cardAccessToken", { query: {} }), SIGNED_OUT),
    cardCallback: () => refused(api.call("cardCallback", { body: {} }), SIGNED_OUT),
    searchIndex: () => api.call("searchIndex", { params: { section: "docs", locale: "ru" } }),
    page: () => api.call("page", { params: { locale: "ru", name: "terms" } }),
    contact: () =>
      api.call("contact", {
        body: { email: "a@mail.example", reference: "7kq4m2xd", message: "Where is my order?", locale: "en" },
      }),
    authorityRequest: async () => {
      const { method, path, answer } = calls.authorityRequest;
      const facts = { authority: "Police", officer: "A. Lund", email: "a@mail.example", locale: "en" };
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...facts, message: "The order 7KQ4-M2XD." })) form.set(name, value);
      form.set("file", new Blob(["%PDF-1.7\n%%EOF"]));
      const response = await fetch(server.url + path, { method, body: form });
      return answer.parse(await response.json());
    },
    content: () => api.call("content", { params: { section: "docs", locale: "ru" }, query: {} }),
    authenticateByTelegram: async () => {
      const body = launch();
      await api.call("createByTelegram", { body });
      return api.call("authenticateByTelegram", { body });
    },
    createByTelegram: () => api.call("createByTelegram", { body: launch() }),
    accountData: async () => api.call("accountData", { headers: await signedIn() }),
    logOut: async () => api.call("logOut", { headers: await signedIn() }),
    createLocal: () => api.call("createLocal", { body: anAccount() }),
    authenticateLocal: async () => {
      const body = anAccount();
      await api.call("createLocal", { body });
      return api.call("authenticateLocal", { body });
    },
    refresh: () => refused(api.call("refresh", { body: {} }), SIGNED_OUT),
    requestPasswordReset: () => api.call("requestPasswordReset", { body: { email: anAccount().email } }),
    resetPassword: () =>
      refused(api.call("resetPassword", { body: { ...anAccount(), resetCode: "00000000" } }), WRONG_CODE),
    sessions: async () => api.call("sessions", { headers: await signedIn() }),
    endSession: async () => {
      const headers = await signedIn();
      const [session] = await api.call("sessions", { headers });
      return api.call("endSession", { headers, body: { sessionId: session?.sessionId ?? "" } });
    },
    reauthenticate: async () => {
      const body = launch();
      const { accessToken } = await api.call("createByTelegram", { body });
      return api.call("reauthenticate", { body, headers: { authorization: `Bearer ${accessToken}` } });
    },
    changePassword: async () =>
      refused(api.call("changePassword", { body: { password: anAccount().password }, headers: await signedIn() })),
    changeEmail: async () => api.call("changeEmail", { body: { email: anAccount().email }, headers: await signedIn() }),
    confirmEmail: async () =>
      refused(api.call("confirmEmail", { body: { code: "00000000" }, headers: await signedIn() }), WRONG_CODE),
    beginSecondFactor: async () => api.call("beginSecondFactor", { headers: await signedIn() }),
    confirmSecondFactor: async () =>
      refused(api.call("confirmSecondFactor", { body: { code: "000000" }, headers: await signedIn() }), {
        httpStatus: 400,
        failure: { status: "ERR_INVALID_CREDENTIALS" },
      }),
    removeSecondFactor: async () => api.call("removeSecondFactor", { headers: await signedIn() }),
    linkTelegram: async () => refused(api.call("linkTelegram", { body: launch(), headers: await signedIn() })),
    unlinkTelegram: async () => refused(api.call("unlinkTelegram", { headers: await signedIn() })),
    orderHistory: async () => api.call("orderHistory", { query: {}, headers: await signedIn() }),
    orderHistoryCsv: async () => api.call("orderHistoryCsv", { query: {}, headers: await signedIn() }),
    listApiKeys: async () => api.call("listApiKeys", { headers: await signedIn() }),
    generateApiKey: async () => apiKeyOf(await signedIn()),
    updateApiKey: async () => {
      const headers = await signedIn();
      const { apiId, name, whiteListIp } = await apiKeyOf(headers);
      return api.call("updateApiKey", { headers, body: { apiId, name, whiteListIp, isActive: false } });
    },
    accountPush: async () => api.call("accountPush", { headers: await signedIn() }),
    subscribeAccountPush: async () => {
      const { endpoint, keys } = aSubscription();
      return api.call("subscribeAccountPush", { body: { endpoint, keys, locale: "en" }, headers: await signedIn() });
    },
    unsubscribeAccountPush: async () => api.call("unsubscribeAccountPush", { headers: await signedIn() }),
    webhooks: async () => api.call("webhooks", { headers: await signedIn() }),
    createWebhook: async () => webhookOf(await signedIn()),
    deleteWebhook: async () => {
      const headers = await signedIn();
      const { id: webhookId } = await webhookOf(headers);
      return api.call("deleteWebhook", { headers, body: { webhookId } });
    },
    webhookDeliveries: async () => {
      const headers = await signedIn();
      const { id: webhookId } = await webhookOf(headers);
      return api.call("webhookDeliveries", { headers, query: { webhookId } });
    },
    testWebhook: async () => {
      const headers = await signedIn();
      const { id: webhookId } = await webhookOf(headers);
      return api.call("testWebhook", { headers, body: { webhookId } });
    },
    redeliverWebhook: async () => {
      const headers = await signedIn();
      const { id: webhookId } = await webhookOf(headers);
      await api.call("testWebhook", { headers, body: { webhookId } });
      const { items } = await api.call("webhookDeliveries", { headers, query: { webhookId } });
      return api.call("redeliverWebhook", { headers, body: { webhookId, deliveryId: items[0]?.id ?? "" } });
    },
    deleteApiKey: async () => {
      const headers = await signedIn();
      const { apiId } = await apiKeyOf(headers);
      return api.call("deleteApiKey", { headers, body: { apiId } });
    },
    submitVerification: async () => {
      const form = await sampleForm();
      const { method, path, answer } = calls.submitVerification;
      const reply = await api.send({ method, path, form, headers: await signedIn() });
      return z.parse(answer, JSON.parse(reply.text));
    },
    verificationStatus: async () => api.call("verificationStatus", { headers: await signedIn() }),
    claimOrders: async () => api.call("claimOrders", { body: { orders: [order] }, headers: await signedIn() }),
    exportAccount: async () => api.call("exportAccount", { headers: await signedIn() }),
    deleteAccount: async () => api.call("deleteAccount", { headers: await signedIn() }),
    referrerId: async () => api.call("referrerId", { headers: await signedIn() }),
    affiliateBalances: async () => api.call("affiliateBalances", { headers: await signedIn() }),
    affiliateStatistics: async () => api.call("affiliateStatistics", { query: {}, headers: await signedIn() }),
    affiliateAccruals: async () => api.call("affiliateAccruals", { query: {}, headers: await signedIn() }),
    affiliateCashbacks: async () => api.call("affiliateCashbacks", { query: {}, headers: await signedIn() }),
    affiliateWithdrawals: async () => api.call("affiliateWithdrawals", { query: {}, headers: await signedIn() }),
    withdrawalTerms: async () => api.call("withdrawalTerms", { headers: await signedIn() }),
    createWithdrawal: async () => {
      const body = { currencyTitle: "USDT", networkTitle: "TRX", address: `T${"1".repeat(33)}`, amount: "10" };
      const { accessToken, userId } = await api.call("createByTelegram", { body: launch() });
      const headers = { authorization: `Bearer ${accessToken}` };
      const NO_BALANCE = { httpStatus: 422, failure: { status: "ERR_BALANCE_NOT_FOUND" } };
      await refused(api.call("createWithdrawal", { body, headers }), NO_BALANCE);
      await api.call("sandboxCredit", { body: { userId, amount: "10" } });
      return api.call("createWithdrawal", { body, headers });
    },
    monthlyPayout: async () => api.call("monthlyPayout", { headers: await signedIn() }),
    setMonthlyPayout: async () => {
      const headers = await signedIn();
      const set = await api.call("setMonthlyPayout", { body: { address: `T${"1".repeat(33)}` }, headers });
      return api.call("setMonthlyPayout", { body: { address: null }, headers }).then(() => set);
    },
    walletBalances: async () => api.call("walletBalances", { headers: await signedIn() }),
    walletDeposits: async () => api.call("walletDeposits", { query: {}, headers: await signedIn() }),
    walletWithdrawals: async () => api.call("walletWithdrawals", { query: {}, headers: await signedIn() }),
  };
  const anAccount = () => ({ email: `${randomUUID()}@mail.example`, password: "a long enough phrase" });
  const SIGNED_OUT = { httpStatus: 401, failure: { status: "ERR_UNAUTHORIZED" } };
  const WRONG_CODE = { httpStatus: 400, failure: { status: "ERR_INVALID_PASSWORD_RESET_CODE" } };
  const aSubscription = () => browserKeys(`${NOBODY}/push/a`);
  const launch = () => {
    const user = JSON.stringify({ id: randomInt(1, 1_000_000_000) });
    return { initData: launchData(SANDBOX_BOT_TOKEN, { auth_date: String(Math.floor(Date.now() / 1000)), user }) };
  };
  const signedIn = async () => {
    const { accessToken } = await api.call("createByTelegram", { body: launch() });
    return { authorization: `Bearer ${accessToken}` };
  };
  const apiKeyOf = (headers: Record<string, string>) =>
    api.call("generateApiKey", { headers, body: { name: "Shop checkout", whiteListIp: "185.12.44.0/24" } });
  const webhookOf = (headers: Record<string, string>) =>
    api.call("createWebhook", { headers, body: { url: "http://127.0.0.1:9/hook" } });
  const NOTHING_YET = { httpStatus: 422, failure: { status: "ERR_UNPROCESSABLE_ENTITY" } };

  /** Before a deposit there is nothing to refund and nothing to accept. */
  async function refused(call: Promise<unknown>, as = NOTHING_YET): Promise<null> {
    const refusal: unknown = await call.catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject(as);
    return null;
  }

  it.each(Object.entries(asked))("%s answers as its schema says", async (_, ask) => {
    await ask();
  });

  it("is in the OpenAPI document, with what it takes and answers", async () => {
    const document = z
      .object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) })
      .parse(JSON.parse((await api.send({ method: "GET", path: "/api/openapi.json" })).text));
    const listed = Object.values(calls).map((call) => {
      // The document writes parameters of a path in braces.
      const entry = document.paths[call.path.replaceAll(/:(\w+)/g, "{$1}")]?.[call.method.toLowerCase()];
      return {
        name: entry?.["operationId"],
        summary: entry?.["summary"],
        takesQuery: JSON.stringify(entry?.["parameters"] ?? []).includes('"in":"query"'),
        takesBody: entry?.["requestBody"] !== undefined,
        answers: ["200", "201"].some((success) => Object.keys(entry?.["responses"] ?? {}).includes(success)),
      };
    });
    expect(listed).toEqual(
      Object.entries(calls).map(([name, call]) => ({
        name,
        summary: call.summary,
        takesQuery: "query" in call,
        takesBody: "body" in call,
        answers: true,
      })),
    );
    expect(Object.keys(document.paths).filter((path) => path.startsWith("/sandbox"))).toEqual([]);
  });

  it("remembers the token contracts of its local node, which the admin CLI can't ask", async () => {
    const shown = new Map(
      (await api.call("instruments", { query: {} })).flatMap(({ slug, networkTitle, contractAddress }) =>
        networkTitle === "ETH" && contractAddress !== null ? [[slug, contractAddress] as const] : [],
      ),
    );
    expect(shown.size).toBeGreaterThan(1);
    expect(await readTokenContracts(database)).toEqual(shown);
  });

  it("shows instruments and pairs that agree with each other", async () => {
    const active = await api.call("instruments", { query: {} });
    expect(active.map(({ slug }) => slug).sort()).toEqual(
      "ada bch btc dai-erc20 doge eth iotx ltc sol ton trx usdc-erc20 usdt-erc20 usdt-trc20 xlm xmr xrp".split(" "),
    );
    // The market may have moved between the two answers.
    const withoutPrice = (instruments: typeof active) =>
      instruments.map(({ price: _price, payoutFee: _fee, payoutSeconds: _seconds, ...rest }) => rest);
    expect(withoutPrice(await api.call("instrumentsV1", { query: {} }))).toEqual(withoutPrice(active));
    const all = await api.call("instruments", { query: { all: "true" } });
    expect(all.map(({ slug }) => slug).sort()).toEqual([...active.map(({ slug }) => slug), "usd", "eur"].sort());
    const pairs = await api.call("pairs", {});
    for (const { slug } of active) {
      const others = active.map((one) => one.slug).filter((one) => one !== slug);
      expect(pairs.find(({ from }) => from === slug)?.to.toSorted()).toEqual(others.toSorted());
    }
  });

  it("quotes so that the fees add up, in both directions", async () => {
    const { amountToGet } = await rateOf(api);
    const reverse = await api.call("rate", {
      query: { ...rating, claimedDepositAmount: "1500", claimedDepositAmountCurrency: "usdt-erc20" },
    });
    expect(reverse.amountToGet).toBe("1500");
    const forth = await rateOf(api, { amount: reverse.amountToGive });
    expect(Number(forth.amountToGet)).toBeGreaterThan(1499.99);
    expect(Number(amountToGet)).toBeGreaterThan(0);
    const usdt = (text: string) => parseAmount(text, 6) ?? -1n;
    const market = Number(forth.marketLeftPrice) / Number(forth.marketRightPrice);
    const gross = usdt(forth.amountToGet) + usdt(forth.finalNetworkFeeAmount) + usdt(forth.platformFee_Absolute);
    expect(Number(gross) / 1e6 / Number(forth.amountToGive)).toBeCloseTo(market, 2);
  });
});

describe("creation under one Idempotency-Key", () => {
  it("is one order, however many equal calls come at once", async () => {
    const body = bodyOf(await rateOf(api));
    const headers = { "idempotency-key": randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: EQUAL_CALLS }, () => api.call("createOrder", { body, headers })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const { rows } = await database.pool.query("select 1 from orders where snapshot::text like '%' || $1 || '%'", [
      body.destinationAddress,
    ]);
    expect(rows).toHaveLength(1);
  });

  it("without a key, each call is an order of its own", async () => {
    const body = bodyOf(await rateOf(api));
    const [one, other] = await Promise.all([api.call("createOrder", { body }), api.call("createOrder", { body })]);
    expect(one.orderId).not.toBe(other.orderId);
    expect(one.depositAddress).not.toBe(other.depositAddress);
  });
});

describe("the live socket", () => {
  const params = {
    instrumentFromSlug: "eth",
    instrumentToSlug: "usdt-erc20",
    claimedDepositAmount: "0.5",
    rateMode: "FLOATING",
  };
  const openSocket = () => SocketClient.open(Number(new URL(server.url).port));
  const read = async (client: SocketClient, at: number) => z.parse(socketMessageSchema, await client.message(at));
  /** The first pair data from `at` on that fits. */
  const rateThat = async (client: SocketClient, at: number, fits: (data: PairData) => boolean): Promise<PairData> => {
    for (let next = at; ; next += 1) {
      const message = await read(client, next);
      if ("data" in message && fits(message.data)) return message.data;
    }
  };

  it("answers at once, at every change, and to the last request alone", async () => {
    await setPrice("eth", "3000");
    const client = await openSocket();
    client.ask(params);
    const first = await rateThat(client, 0, () => true);
    expect(first).toMatchObject({ marketLeftPrice: "3000", amountToGive: "0.5" });
    const before = client.messages.length;
    await setPrice("eth", "3333");
    await rateThat(client, before, ({ marketLeftPrice }) => marketLeftPrice === "3333");

    client.ask({ ...params, instrumentToSlug: "dai-erc20", claimedDepositAmount: "0.7" });
    await rateThat(client, 0, ({ amountToGive }) => amountToGive === "0.7");
    const replaced = client.messages.length;
    await setPrice("eth", "3100");
    await rateThat(client, replaced, ({ marketLeftPrice }) => marketLeftPrice === "3100");
    for (let at = replaced; at < client.messages.length; at += 1)
      expect(await read(client, at)).toMatchObject({ data: { amountToGive: "0.7" } });
    client.close();
  });

  it("sends errors as messages, and goes on", async () => {
    const client = await openSocket();
    const wrong: [string, string][] = [
      [JSON.stringify({ event: "pairs.rates", params: { ...params, instrumentToSlug: "nope" } }), "ERR_VALIDATION"],
      [JSON.stringify({ event: "pairs.rates", params: { ...params, claimedDepositAmount: 0.5 } }), "ERR_VALIDATION"],
      [JSON.stringify({ event: "pairs.rates", params: { ...params, claimedDepositAmount: "1e3" } }), "ERR_VALIDATION"],
      [JSON.stringify({ event: "pairs.rates", params: { ...params, instrumentToSlug: "usd" } }), "ERR_PAIR_NOT_ACTIVE"],
      [
        JSON.stringify({ event: "pairs.rates", params: { ...params, claimedDepositAmount: "0.0000001" } }),
        "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
      ],
      [JSON.stringify({ event: "nope", params }), "ERR_VALIDATION"],
      ["{", "ERR_BAD_REQUEST"],
    ];
    for (const [at, [message, status]] of wrong.entries()) {
      client.send(message);
      expect(await read(client, at)).toMatchObject({ event: "pairs.rates", error: { status } });
    }
    client.ask(params);
    await rateThat(client, wrong.length, ({ amountToGive }) => amountToGive === "0.5");
    client.close();
  });
});

describe("the security log of a running server", () => {
  const events = () =>
    readFileSync(join(folder, "security.log"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => securityEventSchema.parse(JSON.parse(line)));

  it("has each refused launch, and each change by the admin CLI soon after it", async () => {
    const forged = api.call("createByTelegram", { body: { initData: "hash=forged" } });
    await expect(forged).rejects.toBeInstanceOf(Refusal);
    expect(events()).toContainEqual(
      expect.objectContaining({ event: "launch.refused", route: calls.createByTelegram.path, client: "127.0.0.1" }),
    );

    const words = ["stop", "quote", "usdc-erc20", "from", "a check", "--as", "ann"];
    const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url };
    execFileSync(process.execPath, ["server/admin-cli.ts", ...words], { env });
    const subject = "quote usdc-erc20 from";
    const written = await eventually("the operator's change is written", () => {
      const found = events().filter((event) => "subject" in event && event.subject.endsWith(subject));
      return found.length === 2 ? found : null;
    });
    expect(written).toMatchObject([
      { event: "operator.action", operator: "ann", action: "stop", subject, reason: "a check" },
      { event: "hold.began", subject: `stop ${subject}`, reason: "a check" },
    ]);
  });
});
