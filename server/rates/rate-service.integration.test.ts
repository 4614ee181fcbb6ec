import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { CodedError } from "#contract/errors.ts";
import { parseAmount, type Minor } from "#contract/money.ts";
import { pairDataSchema, type PairData, type RateRequest } from "#contract/rate.ts";
import { readCatalogue } from "../catalogue/catalogue.ts";
import { loadCatalogue } from "../catalogue/index.ts";
import shipped from "../catalogue/catalogue.json" with { type: "json" };
import { ETH_USD, TestMarket } from "../../tests/support/http/http-app.ts";
import type { RatePair, Rates } from "./port.ts";

const catalogue = await loadCatalogue();

const request = (changes: Partial<RateRequest> = {}): RateRequest => ({
  instrumentFromSlug: "eth",
  instrumentToSlug: "usdt-erc20",
  claimedDepositAmount: "1",
  rateMode: "FLOATING",
  exchangeType: "crypto",
  ...changes,
});

function failureOf(work: () => unknown): CodedError {
  try {
    work();
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

async function refusalOf(work: Promise<unknown>): Promise<CodedError> {
  return work.then(
    () => {
      throw new Error("nothing was refused");
    },
    (error: unknown) => {
      if (error instanceof CodedError) return error;
      throw error;
    },
  );
}

const minor = (text: string, decimals: number): Minor => {
  const value = parseAmount(text, decimals);
  if (value === null) throw new Error(`no amount: ${text}`);
  return value;
};

describe("pair data", () => {
  const market = new TestMarket();
  const rates = market.rates(catalogue);

  it("says in how many seconds the coins arrive: three blocks of 12 s for the deposit, one for the payout", () => {
    expect(rates.pairData(request({})).estimatedSeconds).toBe(48);
  });

  it.each([
    ["eth", "usdt-erc20", "1"],
    ["usdt-erc20", "eth", "500.000001"],
    ["usdc-erc20", "dai-erc20", "12.34"],
    ["dai-erc20", "eth", "77.123456789012345678"],
  ])(
    "%s to %s adds up: market value less both fees is what arrives",
    (instrumentFromSlug, instrumentToSlug, claimedDepositAmount) => {
      for (const rateMode of ["FLOATING", "FIXED"] as const) {
        const data = z.parse(
          pairDataSchema,
          rates.pairData(request({ instrumentFromSlug, instrumentToSlug, claimedDepositAmount, rateMode })),
        );
        const decimals = data.instrumentTo.precisionDecimals;
        const parts = [data.amountToGet, data.finalNetworkFeeAmount, data.platformFee_Absolute].map((text) =>
          minor(text, decimals),
        );
        const gross = parts.reduce((a, b) => a + b, 0n);
        const give = minor(data.amountToGive, data.instrumentFrom.precisionDecimals);
        const left = minor(data.marketLeftPrice, 18) * give * 10n ** BigInt(decimals);
        const value = left / (minor(data.marketRightPrice, 18) * 10n ** BigInt(data.instrumentFrom.precisionDecimals));
        expect(gross <= value).toBe(true);
        expect(value - gross < 10n ** BigInt(Math.max(0, decimals - 8))).toBe(true);
        const bps = rateMode === "FIXED" ? 150n : 50n;
        expect(minor(data.platformFee_Absolute, decimals) * 10_000n >= gross * bps).toBe(true);
      }
    },
  );

  it("counts the network's fee in the receiving instrument, rounded up", () => {
    expect(rates.pairData(request()).finalNetworkFeeAmount).toBe("0.3");
    expect(
      rates.pairData(
        request({ instrumentFromSlug: "usdt-erc20", instrumentToSlug: "eth", claimedDepositAmount: "100" }),
      ).finalNetworkFeeAmount,
    ).toBe("0.0001");
    const odd = new TestMarket();
    odd.publish(ETH_USD + 1n);
    expect(odd.rates(catalogue).pairData(request()).finalNetworkFeeAmount).toBe("0.300001");
  });

  it("says how long a fixed rate may be claimed, and nothing for a floating one", () => {
    expect(rates.pairData(request({ rateMode: "FIXED" })).validUntil).toBe("2026-11-21T12:01:00.000Z");
    expect(rates.pairData(request()).validUntil).toBeNull();
  });

  it("charges a fixed rate's fee, which is higher", () => {
    expect(rates.pairData(request()).platformFee_Absolute).toBe("15");
    expect(rates.pairData(request({ rateMode: "FIXED" })).platformFee_Absolute).toBe("45");
  });

  it("answers the reverse question with what delivers exactly that", () => {
    const reverse = rates.pairData(
      request({ claimedDepositAmount: "1500", claimedDepositAmountCurrency: "usdt-erc20" }),
    );
    expect(reverse).toMatchObject({ amountToGet: "1500", claimedDepositAmount: "1500" });
    const forward = rates.pairData(request({ claimedDepositAmount: reverse.amountToGive }));
    expect(minor(forward.amountToGet, 6) >= minor("1500", 6)).toBe(true);
    const less = minor(reverse.amountToGive, 18) - 10n ** 12n;
    const short = rates.pairData(request({ claimedDepositAmount: `0.${less.toString().padStart(18, "0")}` }));
    expect(minor(short.amountToGet, 6) < minor("1500", 6)).toBe(true);
  });
});

describe("bounds", () => {
  const market = new TestMarket();
  const rates = market.rates(catalogue);

  it.each([
    ["FLOATING", "0.0017", "83.3"],
    ["FIXED", "0.0017", "16.6"],
  ] as const)("of a %s rate are 5 USD and its maximum, in short numbers of what is sent", (rateMode, min, max) => {
    const data = rates.pairData(request({ rateMode }));
    expect(data).toMatchObject({
      marketMinAmount: min,
      generalMinAmount: min,
      generalMaxAmount: max,
      depositRules: { minAmount: min, maxAmount: max },
    });
    expect(rates.pairData(request({ rateMode, claimedDepositAmount: min })).amountToGive).toBe(min);
    expect(rates.pairData(request({ rateMode, claimedDepositAmount: max })).amountToGive).toBe(max);
    expect(
      failureOf(() => rates.pairData(request({ rateMode, claimedDepositAmount: "0.001699999999999999" }))),
    ).toMatchObject({
      code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
      httpStatus: 422,
      data: { expected: min, instrument: "eth" },
    });
    expect(
      failureOf(() => rates.pairData(request({ rateMode, claimedDepositAmount: `${max}000000000000000001` }))),
    ).toMatchObject({
      code: "ERR_VALIDATION",
    });
    expect(
      failureOf(() => rates.pairData(request({ rateMode, claimedDepositAmount: `${max}0000000000000001` }))),
    ).toMatchObject({
      code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
      data: { expected: max, instrument: "eth" },
    });
  });

  it("say what the floating rate takes where only the fixed one is too small", () => {
    const refused = (rateMode: "FIXED" | "FLOATING") =>
      failureOf(() => rates.pairData(request({ rateMode, claimedDepositAmount: "500" }))).data;
    expect(refused("FIXED")).toEqual({ expected: "16.6", instrument: "eth", floatingMax: "83.3" });
    expect(refused("FLOATING")).toEqual({ expected: "83.3", instrument: "eth" });
  });

  it("are counted in the sending instrument for the reverse question too", () => {
    const get = { claimedDepositAmountCurrency: "usdt-erc20" };
    expect(failureOf(() => rates.pairData(request({ ...get, claimedDepositAmount: "1" }))).data).toEqual({
      expected: "0.0017",
      instrument: "eth",
    });
    const big = failureOf(() => rates.pairData(request({ ...get, claimedDepositAmount: "999999999" })));
    expect(big).toMatchObject({
      code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
      data: { expected: "83.3", instrument: "eth" },
    });
  });

  it("are judged before liquidity", () => {
    const poor = market.rates(catalogue, () => 10n);
    expect(failureOf(() => poor.pairData(request({ claimedDepositAmount: "9999" }))).code).toBe(
      "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
    );
    expect(failureOf(() => poor.pairData(request({ claimedDepositAmount: "0.001" }))).code).toBe(
      "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
    );
    expect(failureOf(() => poor.pairData(request())).code).toBe("ERR_NO_LIQUIDITY_AVAILABLE");
  });

  it("make a deposit worth more than its payout costs", () => {
    const dear = new TestMarket();
    dear.stored = [{ ...dear.publish(), fees: new Map([["ETH:usdt-erc20", 10n ** 16n]]) }];
    const data = dear.rates(catalogue).pairData(request());
    expect(data).toMatchObject({ finalNetworkFeeAmount: "30", generalMinAmount: "0.03" });
    expect(minor(dear.rates(catalogue).pairData(request({ claimedDepositAmount: "0.03" })).amountToGet, 6) > 0n).toBe(
      true,
    );
  });
});

describe("an unavailable rate", () => {
  const market = new TestMarket();
  const rates = market.rates(catalogue);

  it.each([
    [{ instrumentFromSlug: "nocoin" }, "ERR_VALIDATION", "instrumentFromSlug"],
    [{ instrumentToSlug: "nocoin" }, "ERR_VALIDATION", "instrumentToSlug"],
    [{ instrumentToSlug: "eth" }, "ERR_VALIDATION", "instrumentToSlug"],
    [{ claimedDepositAmountCurrency: "btc" }, "ERR_VALIDATION", "claimedDepositAmountCurrency"],
    [{ claimedDepositAmount: "1.0000000000000000001" }, "ERR_VALIDATION", "claimedDepositAmount"],
    [
      { claimedDepositAmount: "5.0000001", claimedDepositAmountCurrency: "usdt-erc20" },
      "ERR_VALIDATION",
      "claimedDepositAmount",
    ],
    [{ claimedDepositAmount: "0" }, "ERR_VALIDATION", "claimedDepositAmount"],
  ])("%j is %s at %s", (changes, code, field) => {
    const failure = failureOf(() => rates.pairData(request(changes)));
    expect(failure).toMatchObject({ code, httpStatus: 400, data: { [field]: expect.any(String) } });
  });

  it("names a pair that is switched off, and one whose network is down", () => {
    expect(failureOf(() => rates.pairData(request({ instrumentToSlug: "btc" }))).code).toBe("ERR_PAIR_NOT_ACTIVE");
    market.isUp = false;
    expect(failureOf(() => rates.pairData(request())).code).toBe("ERR_PAIR_NOT_ACTIVE");
    market.isUp = true;
    expect(rates.pairData(request()).price).toBe("2984.7");
  });

  it("names a rate mode that a pair does not have", () => {
    const floatingOnly = readCatalogue({ ...shipped, pairs: [{ from: "eth", to: "usdt-erc20", hasFixedRate: false }] });
    const failure = failureOf(() => market.rates(floatingOnly).pairData(request({ rateMode: "FIXED" })));
    expect(failure).toMatchObject({ code: "ERR_NOT_ACCEPTABLE", httpStatus: 406 });
    expect(market.rates(floatingOnly).pairData(request()).price).toBe("2984.7");
  });

  it("stops quoting without a price, a fee or a valid snapshot, with Retry-After", () => {
    const gone = new TestMarket();
    const full = gone.publish();
    const unavailable = { code: "ERR_SERVICE_UNAVAILABLE", retryAfterSeconds: expect.any(Number) };
    for (const missing of [{ prices: new Map([["eth", ETH_USD]]) }, { fees: new Map() }]) {
      gone.stored = [{ ...full, ...missing }];
      expect(failureOf(() => gone.rates(catalogue).pairData(request()))).toMatchObject(unavailable);
    }
    gone.stored = [];
    expect(failureOf(() => gone.rates(catalogue).snapshot())).toMatchObject(unavailable);
    gone.publish();
    gone.advance(30);
    expect(gone.rates(catalogue).priceUsd("eth")).toBe(ETH_USD);
    gone.advance(1);
    expect(failureOf(() => gone.rates(catalogue).pairData(request()))).toMatchObject(unavailable);
    expect(gone.rates(catalogue).priceUsd("eth")).toBeNull();
  });
});

describe("recommended amount", () => {
  it.each([
    ["eth", "usdt-erc20", "0.16"],
    ["usdt-erc20", "eth", "500"],
  ])("of %s to %s is about 500 USD in a short number", (from, to, amount) => {
    const rates = new TestMarket().rates(catalogue);
    expect(rates.recommendedAmount({ from, to, rateMode: "FLOATING" })).toBe(amount);
  });

  it("stays inside the bounds", () => {
    const dear = new TestMarket();
    dear.stored = [{ ...dear.publish(), fees: new Map([["ETH:usdt-erc20", 10n ** 18n]]) }];
    expect(dear.rates(catalogue).recommendedAmount({ from: "eth", to: "usdt-erc20", rateMode: "FLOATING" })).toBe("3");
  });
});

describe("a claim", () => {
  const FIXED = { from: "eth", to: "usdt-erc20", rateMode: "FIXED" } as const;
  const FLOATING = { ...FIXED, rateMode: "FLOATING" } as const;
  const claimOf = (data: PairData) => ({
    price: data.price,
    updatedAt: data.updatedAt,
    claimedAmountToReceive: data.amountToGet,
  });
  const price = (
    rates: Rates,
    pair: RatePair,
    data: PairData,
    changes: Partial<ReturnType<typeof claimOf>> = {},
    give = data.amountToGive,
  ) => rates.priceClaim({ ...pair, claimedDepositAmount: minor(give, 18), claim: { ...claimOf(data), ...changes } });

  function given(changes: Partial<RateRequest>) {
    const market = new TestMarket();
    const rates = market.rates(catalogue);
    return { market, rates, data: rates.pairData(request(changes)) };
  }
  const isRefusedWithFreshRate = (error: CodedError, rates: Rates, rateMode: "FIXED" | "FLOATING", give = "1") => {
    expect(error).toMatchObject({ code: "ERR_UNPROCESSABLE_ENTITY", httpStatus: 422 });
    const fresh = rates.pairData(request({ rateMode, claimedDepositAmount: give }));
    expect(error.data?.["rate"]).toEqual(fresh);
  };

  it.each([
    ["what is sent", {}],
    ["what arrives", { claimedDepositAmount: "2500.12", claimedDepositAmountCurrency: "usdt-erc20" }],
  ])("on a fixed rate requested by %s is valid for its minute, though the market has moved", async (_name, changes) => {
    const { market, rates, data } = given({ rateMode: "FIXED", ...changes });
    market.advance(60);
    market.publish(ETH_USD / 2n);
    const priced = await price(rates, FIXED, data);
    expect(priced.quote).toMatchObject({
      amountFrom: minor(data.amountToGive, 18),
      amountTo: minor(data.amountToGet, 6),
      price: data.price,
    });
    expect(priced.snapshot.at.toISOString()).toBe(data.updatedAt);
    expect(priced.validUntil?.toISOString()).toBe(data.validUntil);
    market.advance(1);
    expect((await refusalOf(price(rates, FIXED, data))).code).toBe("ERR_UNPROCESSABLE_ENTITY");
  });

  it("on a fixed rate includes the bounds of a floating order", async () => {
    const { rates, data } = given({ rateMode: "FIXED" });
    expect((await price(rates, FIXED, data)).bounds).toEqual({ min: minor("0.0017", 18), max: minor("83.3", 18) });
  });

  it.each([
    ["a better price", { price: "3000" }],
    ["a better amount", { claimedAmountToReceive: "29547" }],
    ["one unit more", { claimedAmountToReceive: "2954.700001" }],
    ["nothing to receive", { claimedAmountToReceive: "0" }],
    ["more decimals than the coin has", { claimedAmountToReceive: "2954.7000000000001" }],
    ["a moment at which nothing was quoted", { updatedAt: "2026-11-21T11:59:59.999Z" }],
    ["a moment to come", { updatedAt: "2026-11-21T12:00:30.000Z" }],
  ])("on a fixed rate with %s is refused with a fresh rate", async (_name, changes) => {
    const { rates, data } = given({ rateMode: "FIXED" });
    expect(data).toMatchObject({ price: "2954.7", amountToGet: "2954.7" });
    isRefusedWithFreshRate(await refusalOf(price(rates, FIXED, data, changes)), rates, "FIXED");
  });

  it("on a fixed rate is refused for a floating quote, another pair's or another amount", async () => {
    const { market, rates, data } = given({ rateMode: "FLOATING" });
    isRefusedWithFreshRate(await refusalOf(price(rates, FIXED, data)), rates, "FIXED");
    const fixed = rates.pairData(request({ rateMode: "FIXED" }));
    isRefusedWithFreshRate(await refusalOf(price(rates, FIXED, fixed, {}, "1.1")), rates, "FIXED", "1.1");
    market.stored = market.stored.map((snapshot) => ({
      ...snapshot,
      prices: new Map([...snapshot.prices, ["usdc-erc20", 2n * 10n ** 18n]]),
    }));
    expect((await refusalOf(price(rates, { ...FIXED, to: "usdc-erc20" }, fixed))).code).toBe(
      "ERR_UNPROCESSABLE_ENTITY",
    );
  });

  it("is compared by value, not by spelling", async () => {
    const { rates, data } = given({ rateMode: "FIXED" });
    const priced = await price(rates, FIXED, data, { price: "2954.700", claimedAmountToReceive: "2954.70" });
    expect(priced.quote.price).toBe("2954.7");
  });

  it.each([
    [ETH_USD + (ETH_USD * 19n) / 1000n, true],
    [ETH_USD - (ETH_USD * 19n) / 1000n, true],
    [ETH_USD + (ETH_USD * 21n) / 1000n, false],
    [ETH_USD - (ETH_USD * 21n) / 1000n, false],
  ])("on a floating rate is priced again at %s: taken %s", async (ethUsd, isTaken) => {
    const { market, rates, data } = given({});
    market.advance(20);
    market.publish(ethUsd);
    const work = price(rates, FLOATING, data);
    if (!isTaken) return isRefusedWithFreshRate(await refusalOf(work), rates, "FLOATING");
    const priced = await work;
    const fresh = rates.pairData(request());
    expect(priced.quote).toMatchObject({ amountTo: minor(fresh.amountToGet, 6), price: fresh.price });
    expect(priced).toMatchObject({ validUntil: null, bounds: { min: minor(fresh.generalMinAmount, 18) } });
  });

  it.each([
    ["a price ten times as good", { price: "29847" }],
    ["an amount ten times as good", { claimedAmountToReceive: "29847" }],
    ["no amount", { claimedAmountToReceive: "0" }],
  ])("on a floating rate with %s is refused with a fresh rate", async (_name, changes) => {
    const { rates, data } = given({});
    isRefusedWithFreshRate(await refusalOf(price(rates, FLOATING, data, changes)), rates, "FLOATING");
  });

  it("is bounded, fixed or floating", async () => {
    const { rates, data } = given({});
    for (const pair of [FIXED, FLOATING]) {
      expect((await refusalOf(price(rates, pair, data, {}, "0.001"))).code).toBe(
        "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
      );
      expect((await refusalOf(price(rates, pair, data, {}, "1000"))).code).toBe("ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG");
    }
  });

  it("may be for the exact minimum that was quoted, though it has risen a little since", async () => {
    const market = new TestMarket();
    const rates = market.rates(catalogue);
    market.advance(3);
    market.publish(2950n * 10n ** 18n);
    const data = rates.pairData(request({ claimedDepositAmount: "0.0017" }));
    market.advance(3);
    market.publish(2940n * 10n ** 18n);
    expect(rates.pairData(request()).generalMinAmount).toBe("0.0018");
    expect((await price(rates, FLOATING, data)).bounds.min).toBe(minor("0.0017", 18));
    const longAgo = { updatedAt: "2026-11-21T11:00:00.000Z" };
    const late = await refusalOf(price(rates, FLOATING, data, longAgo));
    expect(late).toMatchObject({ code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", data: { expected: "0.0018" } });
  });

  it("is refused for a pair that takes no orders, and while nothing can be quoted", async () => {
    const { market, rates, data } = given({ rateMode: "FIXED" });
    market.isUp = false;
    expect((await refusalOf(price(rates, FIXED, data))).code).toBe("ERR_PAIR_NOT_ACTIVE");
    market.isUp = true;
    market.advance(31);
    expect((await refusalOf(price(rates, FIXED, data))).code).toBe("ERR_SERVICE_UNAVAILABLE");
  });
});
