import { describe, expect, it } from "vitest";
import { createLog } from "../base/logging/log.ts";
import { PartnerError, type LiquidityPartner, type QuotedPoint, type TradedInstrument } from "./port.ts";
import { createPartnerQuotes } from "./partner-quotes.ts";

const SCALE = 10n ** 18n;
const MILLI = 10n ** 15n;
const eth: TradedInstrument = {
  slug: "eth",
  currencyTitle: "ETH",
  networkTitle: "ETH",
  decimals: 18,
  contractAddress: null,
};
const usdt: TradedInstrument = {
  slug: "usdt",
  currencyTitle: "USDT",
  networkTitle: "ETH",
  decimals: 6,
  contractAddress: "0x1",
};
const prices = new Map([
  ["eth", 2500n * SCALE],
  ["usdt", SCALE],
]);
const KEY = "some eth usdt";

/** A partner that delivers so many thousandths of the market's worth, or fails, or never answers. */
function partner(quote: (amounts: readonly bigint[]) => Promise<QuotedPoint[]>): LiquidityPartner & { asked: number } {
  const never = () => Promise.reject(new Error("not part of this test"));
  const made = {
    code: "some",
    asked: 0,
    quote: async (_pair: unknown, amounts: readonly bigint[]) => {
      made.asked += 1;
      return quote(amounts);
    },
    open: never,
    find: never,
    status: never,
    addresses: never,
  };
  return made;
}
const worth = (amountFrom: bigint, thousandths: bigint): QuotedPoint => ({
  amountFrom: amountFrom,
  amountTo: (amountFrom * 2_500_000_000n * thousandths) / (SCALE * 1_000n),
});
const offers = (thousandths: bigint) =>
  partner(async (amounts) => amounts.map((amountFrom) => worth(amountFrom, thousandths)));

function quotesOf(one: LiquidityPartner) {
  const time = { ms: 0 };
  const log = createLog({ level: "silent" });
  const quotes = createPartnerQuotes({
    partners: [one],
    pairs: [{ from: eth, to: usdt }],
    log,
    timeoutMs: 30,
    now: () => time.ms,
  });
  return { quotes, time };
}

describe("what partners quote", () => {
  it("is requested for a few amounts, from small to large", async () => {
    const { quotes } = quotesOf(offers(990n));
    const curve = (await quotes.take(prices)).get(KEY);
    expect(curve?.map(({ amountFrom }) => amountFrom)).toEqual([
      10n * MILLI,
      100n * MILLI,
      1_000n * MILLI,
      10_000n * MILLI,
    ]);
  });

  it("is requested every 30 s, and valid for 90 s while the partner doesn't answer", async () => {
    let isSilent = false;
    const one = partner(async (amounts) => {
      if (isSilent) throw new PartnerError("no answer");
      return amounts.map((amountFrom) => worth(amountFrom, 990n));
    });
    const { quotes, time } = quotesOf(one);
    await quotes.take(prices);
    time.ms = 29_999;
    await quotes.take(prices);
    expect(one.asked).toBe(1);
    isSilent = true;
    time.ms = 30_000;
    expect((await quotes.take(prices)).has(KEY)).toBe(true);
    expect(one.asked).toBe(2);
    time.ms = 90_001;
    expect((await quotes.take(prices)).has(KEY)).toBe(false);
  });

  it.each([
    ["four per cent above the market", 1_040n],
    ["a third below it", 660n],
    ["nothing", 0n],
  ])("is left out where it is %s", async (_, thousandths) => {
    expect((await quotesOf(offers(thousandths)).quotes.take(prices)).size).toBe(0);
  });

  it("is left out where a larger amount delivers less", async () => {
    const falling = partner(async (amounts) => amounts.map((amountFrom) => ({ amountFrom, amountTo: 24_000_000n })));
    expect((await quotesOf(falling).quotes.take(prices)).size).toBe(0);
  });

  it("is not used without the prices that it is checked against", async () => {
    const { quotes } = quotesOf(offers(990n));
    expect((await quotes.take(prices)).size).toBe(1);
    expect((await quotes.take(new Map())).size).toBe(0);
  });

  it("does not delay a snapshot", async () => {
    const stalls = partner(() => new Promise(() => undefined));
    expect((await quotesOf(stalls).quotes.take(prices)).size).toBe(0);
  });
});
