import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { calls } from "#contract/calls.ts";
import { defaultPairSchema, instrumentsSchema } from "#contract/instrument.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const get = async (url: string, query: Record<string, string> = {}) => {
  const answer = await app.inject({ url, query });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), headers: answer.headers };
};

describe("instruments", () => {
  const ACTIVE = ["eth", "usdt-erc20", "usdc-erc20", "dai-erc20"];
  const INACTIVE = ["btc", "ltc", "xmr", "usdt-trc20", "trx", "sol", "xrp", "xlm", "ton", "doge", "bch", "ada", "iotx"];
  it.each([calls.instruments.path, calls.instrumentsV1.path])(
    "of %s are the active ones, priced in USD",
    async (path) => {
      const list = z.parse(instrumentsSchema, (await get(path, { providers: "mercuryo,treasury" })).body);
      expect(list.map(({ slug, price }) => [slug, price])).toEqual(
        ACTIVE.map((slug) => [slug, slug === "eth" ? "3000" : "1"]),
      );
    },
  );

  it("say what a payout costs and how wallets name a token's network; null without prices", async () => {
    const list = z.parse(instrumentsSchema, (await get(calls.instruments.path)).body);
    const shown = list.map(({ slug, payoutFee, networkStandard }) => [slug, payoutFee, networkStandard]);
    expect(shown).toEqual([
      ["eth", "0.0001", null],
      ["usdt-erc20", "0.3", "ERC20"],
      ["usdc-erc20", "0.3", "ERC20"],
      ["dai-erc20", "0.3", "ERC20"],
    ]);
  });

  it("with all=true are the inactive and the fiat ones too", async () => {
    const list = z.parse(instrumentsSchema, (await get(calls.instruments.path, { all: "true" })).body);
    expect(list.map(({ slug }) => slug)).toEqual([...ACTIVE, ...INACTIVE, "usd", "eur"]);
    expect(list.find(({ slug }) => slug === "usd")).toMatchObject({ instrumentType: "fiat", price: null });
    expect((await get(calls.instruments.path, { all: "yes" })).status).toBe(400);
  });

  it("can be exchanged to each other, and to nothing that is inactive", async () => {
    const { body } = await get(calls.pairs.path);
    expect(body).toEqual(ACTIVE.map((from) => ({ from, to: ACTIVE.filter((to) => to !== from) })));
  });

  it("have a default pair", async () => {
    const pair = z.parse(defaultPairSchema, (await get(calls.defaultPair.path)).body);
    expect([pair.instrumentFrom.slug, pair.instrumentTo.slug]).toEqual(["eth", "usdt-erc20"]);
  });

  it("stay listed without prices while nothing can be quoted", async () => {
    await using quiet = await testApp(database);
    quiet.market.stored = [];
    const list = z.parse(instrumentsSchema, (await quiet.inject(calls.instruments.path)).json());
    expect(new Set(list.map(({ price }) => price))).toEqual(new Set([null]));
    const rate = await quiet.inject({
      url: calls.rate.path,
      query: { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "1" },
    });
    expect([rate.statusCode, rate.json<object>()]).toMatchObject([503, { status: "ERR_SERVICE_UNAVAILABLE" }]);
    expect(Number(rate.headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("recommended amount", () => {
  const titles = {
    instrumentFromCurrencyTitle: "ETH",
    instrumentFromNetworkTitle: "ETH",
    instrumentToCurrencyTitle: "USDT",
    instrumentToNetworkTitle: "ETH",
  };
  const ask = (changes: Record<string, string> = {}) => get(calls.recommendedAmount.path, { ...titles, ...changes });

  it("is found by titles, for either rate mode", async () => {
    expect((await ask()).body).toEqual({ recommendedAmount: "0.16" });
    expect((await ask({ rateMode: "FIXED" })).body).toEqual({ recommendedAmount: "0.16" });
  });

  it.each([
    [{ instrumentFromCurrencyTitle: "DOGE" }, "ERR_VALIDATION", "instrumentFromCurrencyTitle"],
    [{ instrumentToNetworkTitle: "SOL" }, "ERR_VALIDATION", "instrumentToCurrencyTitle"],
    [{ rateMode: "SOON" }, "ERR_VALIDATION", "rateMode"],
  ])("with %j is %s", async (changes, status, field) => {
    expect((await ask(changes)).body).toMatchObject({ status, data: { [field]: expect.any(String) } });
  });

  it("is refused for a pair that is switched off", async () => {
    const { body } = await ask({ instrumentToCurrencyTitle: "BTC", instrumentToNetworkTitle: "BTC" });
    expect(body).toMatchObject({ status: "ERR_PAIR_NOT_ACTIVE" });
  });
});

describe("validate-address", () => {
  const validate = async (changes: Record<string, unknown> = {}) => {
    const answer = await app.inject({
      method: "POST",
      url: calls.validateAddress.path,
      payload: { currencyTitle: "USDT", networkTitle: "ETH", address: "0xAbc", ...changes },
    });
    return answer.json<unknown>();
  };

  it("says what the network's own parser says", async () => {
    expect(await validate()).toEqual({ result: true, code: null });
    expect(await validate({ address: "  0xAbc " })).toEqual({ result: true, code: null });
    expect(await validate({ address: "T123" })).toEqual({ result: false, code: null });
    expect(await validate({ address: "" })).toEqual({ result: false, code: null });
  });

  it("gives a reason only on request", async () => {
    expect(await validate({ address: "T123", getRejectReason: true })).toEqual({
      result: false,
      code: "address_reject_iotx",
    });
    expect(await validate({ getRejectReason: true })).toEqual({ result: true, code: null });
  });

  it("refuses networks that are not served, and coins that are not on them", async () => {
    expect(await validate({ networkTitle: "BTC", currencyTitle: "BTC" })).toMatchObject({
      status: "ERR_NETWORK_NOT_SUPPORTED",
    });
    expect(await validate({ networkTitle: "__proto__" })).toMatchObject({ status: "ERR_NETWORK_NOT_SUPPORTED" });
    expect(await validate({ currencyTitle: "DOGE" })).toMatchObject({
      status: "ERR_VALIDATION",
      data: { currencyTitle: expect.any(String) },
    });
    expect(await validate({ address: "x".repeat(513) })).toMatchObject({ status: "ERR_VALIDATION" });
  });
});
