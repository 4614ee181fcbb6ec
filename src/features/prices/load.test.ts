import { afterEach, expect, it, vi } from "vitest";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { sampleInstrument } from "../../shared/testing/sample-instrument.ts";
import { loadCoin } from "./load.ts";

const COINS = ["dai", "doge", "eth", "btc"];
const answers: Record<string, unknown> = {
  prices: COINS.map((symbol) => ({ symbol, name: symbol, slugs: [symbol], priceUsd: "1", sparkline: [] })),
  instruments: COINS.map((slug) =>
    sampleInstrument(slug, { currencyTitle: slug.toUpperCase(), isPopular: slug === "eth" || slug === "btc" }),
  ),
  pairs: COINS.map((from) => ({ from, to: COINS.filter((to) => to !== from) })),
};

const load = (symbol: string, search = "", asked?: readonly object[]) => {
  vi.spyOn(console, "warn").mockReturnValue();
  const call = async (name: string) => {
    const answer = name === "askedPairs" ? asked : answers[name];
    if (answer === undefined) throw new CallError({ kind: "network", message: "not reached" });
    return answer;
  };
  const api = { call } as unknown as Api;
  return loadCoin({ params: { symbol }, query: new URLSearchParams(search), api, locale: "en" } as never);
};

const relatedOf = async (symbol: string, asked?: readonly object[]) => {
  const loaded = await load(symbol, "", asked);
  if (loaded.kind !== "page") throw new Error(loaded.kind);
  return loaded.data.related.map(({ to, isListed }) => [to, isListed]);
};

afterEach(() => vi.restoreAllMocks());

it("names first the pairs whose pages search engines may keep, then those of popular coins", async () => {
  expect(await relatedOf("btc", [])).toEqual([
    ["eth", true],
    ["dai", false],
    ["doge", false],
  ]);
  expect(await relatedOf("dai", [{ from: "dai", to: "doge", lastAt: "2026-11-20T12:00:00.000Z" }])).toEqual([
    ["doge", true],
    ["eth", false],
    ["btc", false],
  ]);
});

it("does without the pairs that customers exchange while they can't be had", async () => {
  expect((await relatedOf("btc")).map(([, isListed]) => isListed)).toEqual([true, false, false]);
});

it("redirects a ticker in capitals to the coin's page for good, with its query, and finds no other coin", async () => {
  expect(await load("BTC")).toEqual({ kind: "redirect", to: "/price/btc", status: 301 });
  expect(await load("Btc", "range=1y")).toEqual({ kind: "redirect", to: "/price/btc?range=1y", status: 301 });
  expect(await load("XYZ")).toEqual({ kind: "notFound" });
});
