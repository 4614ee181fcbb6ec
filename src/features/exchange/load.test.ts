import { describe, expect, it } from "vitest";
import type { ErrorCode } from "#contract/errors.ts";
import type { RateRequest } from "#contract/rate.ts";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { loadCalculator, loadExchange, withCardPairs } from "./load.ts";
import { compareDecimals } from "#contract/money.ts";
import { DAI, ETH, sampleRate, USDT, sampleInstrument } from "./testing/samples.ts";

type Refusal = { code: ErrorCode; data?: Record<string, unknown>; mode?: "FIXED"; max?: string };

/** The catalogue's calls, with a rate call that can refuse; a pair with a largest amount refuses only what is above it. */
function fakeApi(refusal?: Refusal): { api: Api; asked: RateRequest[] } {
  const asked: RateRequest[] = [];
  const judge = (rateMode: string | undefined) => {
    if (refusal === undefined || refusal.max !== undefined || (refusal.mode ?? rateMode) !== rateMode) return;
    throw new CallError({ kind: "coded", message: "", httpStatus: 422, ...refusal });
  };
  const rate = (query: RateRequest) => {
    asked.push(query);
    judge(query.rateMode);
    const maxAmount = refusal?.max ?? "1000";
    if (compareDecimals(query.claimedDepositAmount, maxAmount) > 0)
      throw new CallError({
        kind: "coded",
        code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
        message: "",
        httpStatus: 422,
        data: { expected: maxAmount, instrument: "eth" },
      });
    return sampleRate({
      rateMode: query.rateMode,
      amountToGive: query.claimedDepositAmount,
      depositRules: { minAmount: "0.01", maxAmount },
    });
  };
  const answers: Record<string, (input: { query: never }) => unknown> = {
    instruments: () => [ETH, USDT, DAI],
    pairs: () => [{ from: "eth", to: ["usdt-erc20"] }],
    defaultPair: () => ({ instrumentFrom: ETH, instrumentTo: USDT }),
    rate: ({ query }) => rate(query),
    recommendedAmount: ({ query }) => {
      judge((query as RateRequest).rateMode);
      return { recommendedAmount: "0.16" };
    },
  };
  const call = async (name: string, input: unknown) => answers[name]?.(input as { query: never });
  return { api: { call } as Api, asked };
}

const exchange = (pair: string, query = "", refusal?: Refusal) =>
  loadExchange({ params: { pair }, query: new URLSearchParams(query), api: fakeApi(refusal).api });

describe("loadExchange", () => {
  it("loads the first rate, so that nothing is missing in the first paint", async () => {
    const { api, asked } = fakeApi();
    const loaded = await loadExchange({
      params: { pair: "eth-usdt-erc20" },
      query: new URLSearchParams("amount=0.5&ref=partner"),
      api,
    });
    expect(loaded).toMatchObject({
      kind: "page",
      data: { opening: { from: "eth", to: "usdt-erc20", amount: "0.5", firstRate: { price: "2984.6" } } },
    });
    expect(asked).toMatchObject([
      { claimedDepositAmount: "0.5", claimedDepositAmountCurrency: "eth", referrerId: "partner" },
    ]);
  });

  it.each(["eth", "eth-eth", "eth-doge", "doge-eth", "", "usdt-erc20"])("does not find %j", async (pair) => {
    expect(await exchange(pair)).toEqual({ kind: "notFound" });
  });

  it("opens a known pair that is not offered, without a rate call", async () => {
    const { api, asked } = fakeApi();
    const loaded = await loadExchange({ params: { pair: "dai-erc20-eth" }, query: new URLSearchParams(), api });
    expect(loaded).toMatchObject({ kind: "page", data: { opening: { firstRate: null, firstFailure: null } } });
    expect(asked).toEqual([]);
  });

  it("goes to the pair that the query names", async () => {
    expect(await exchange("eth-usdt-erc20", "send=dai-erc20&amount=7&step=destination")).toEqual({
      kind: "redirect",
      to: "/exchange-dai-erc20-usdt-erc20?amount=7&step=destination",
    });
  });

  it("opens with the floating rate where a fixed one is refused", async () => {
    expect(await exchange("eth-usdt-erc20", "mode=fixed", { code: "ERR_NOT_ACCEPTABLE", mode: "FIXED" })).toMatchObject(
      {
        data: { opening: { isFixedRefused: true, firstFailure: null, firstRate: { rateMode: "FLOATING" } } },
      },
    );
  });

  it("opens with the default amount where the pair takes it", async () => {
    const loaded = await exchange("eth-usdt-erc20");
    expect(loaded).toMatchObject({ data: { opening: { amount: "500", firstRate: { amountToGive: "500" } } } });
  });

  it("opens with the recommended amount where the default is out of bounds, and never asks for one that is refused", async () => {
    const { api, asked } = fakeApi({ code: "ERR_VALIDATION", max: "83.3" });
    const loaded = await loadExchange({
      params: { pair: "eth-usdt-erc20" },
      query: new URLSearchParams("coin=usdt-erc20"),
      api,
    });
    expect(loaded).toMatchObject({
      data: { opening: { amount: "0.16", side: "from", firstRate: { amountToGive: "0.16" }, firstFailure: null } },
    });
    expect(asked.map(({ claimedDepositAmount }) => claimedDepositAmount)).toEqual(["0.16"]);
  });

  it("keeps an amount that the address asks for, and judges it", async () => {
    const refusal = { code: "ERR_VALIDATION", max: "83.3" } as const;
    expect(await exchange("eth-usdt-erc20", "amount=500", refusal)).toMatchObject({
      data: { opening: { amount: "500", firstFailure: { kind: "too-big", expected: "83.3" } } },
    });
  });

  it("shows the pair's rate and bounds beside a refused amount", async () => {
    const refusal = { code: "ERR_VALIDATION", max: "83.3" } as const;
    for (const query of ["amount=500", "amount=500&mode=fixed"])
      expect(await exchange("eth-usdt-erc20", query, refusal)).toMatchObject({
        data: { opening: { amount: "500", firstRate: { amountToGive: "83.3" }, firstFailure: { kind: "too-big" } } },
      });
  });

  it("says why there is no rate where not even an amount is recommended", async () => {
    expect(await exchange("eth-usdt-erc20", "", { code: "ERR_PAIR_NOT_ACTIVE" })).toMatchObject({
      data: { opening: { amount: "500", firstRate: null, firstFailure: { kind: "pair-unsupported" } } },
    });
  });
});

describe("loadCalculator", () => {
  it("opens with the default pair and amount, or with what the query names", async () => {
    const { api } = fakeApi();
    expect((await loadCalculator({ query: new URLSearchParams(), api })).opening).toMatchObject({
      from: "eth",
      to: "usdt-erc20",
      amount: "500",
    });
    const asked = new URLSearchParams("send=usdt-erc20&receive=dai-erc20&amount=12,5");
    expect((await loadCalculator({ query: asked, api })).opening).toMatchObject({
      from: "usdt-erc20",
      to: "dai-erc20",
      amount: "12.5",
    });
  });
});

const USD = sampleInstrument("usd", { instrumentType: "fiat" });
const LTC = sampleInstrument("ltc");
const pairs = [
  { from: "eth", to: ["usdt-erc20"] },
  { from: "usdt-erc20", to: ["eth"] },
];

describe("withCardPairs", () => {
  it("adds what is bought and sold by card to what is exchanged", () => {
    expect(withCardPairs(pairs, [USD, ETH, LTC])).toEqual([
      { from: "eth", to: ["usdt-erc20", "usd"] },
      { from: "usdt-erc20", to: ["eth"] },
      { from: "ltc", to: ["usd"] },
      { from: "usd", to: ["eth", "ltc"] },
    ]);
  });

  it.each([
    ["nothing is traded by card", []],
    ["there is no currency", [ETH, USDT]],
    ["there is no coin", [USD]],
  ])("leaves the pairs as they are where %s", (_, byCard) => {
    expect(withCardPairs(pairs, byCard)).toBe(pairs);
  });
});
