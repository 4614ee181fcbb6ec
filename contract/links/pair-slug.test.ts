import { describe, expect, it } from "vitest";
import { ambiguousPairs, formatPairSlug, parsePairSlug } from "./pair-slug.ts";

const CATALOGUE = new Set(["btc", "eth", "usdt-erc20", "usdt-trc20", "usd", "usdt"]);

describe("parsePairSlug", () => {
  it.each([
    ["btc-eth", "btc", "eth"],
    ["usdt-erc20-btc", "usdt-erc20", "btc"],
    ["btc-usdt-erc20", "btc", "usdt-erc20"],
    ["usdt-erc20-usdt-trc20", "usdt-erc20", "usdt-trc20"],
    ["usdt-usdt-erc20", "usdt", "usdt-erc20"],
    ["usdt-btc", "usdt", "btc"],
  ])("%s is %s to %s", (pair, from, to) => {
    expect(parsePairSlug(pair, CATALOGUE)).toEqual({ from, to });
    expect(formatPairSlug({ from, to })).toBe(pair);
  });

  it.each([
    "",
    "-",
    "btc",
    "btc-",
    "-btc",
    "btc-doge",
    "doge-btc",
    "btc-eth-usd",
    "BTC-ETH",
    "btc--eth",
    "btc-btc",
    "usdt-erc20-usdt-erc20",
  ])("%j is no pair", (pair) => expect(parsePairSlug(pair, CATALOGUE)).toBeNull());

  it("refuses a pair that reads in two ways, rather than choosing one", () => {
    const catalogue = new Set(["a", "a-b", "b-c", "c"]);
    expect(parsePairSlug("a-b-c", catalogue)).toBeNull();
    expect(parsePairSlug("a-c", catalogue)).toEqual({ from: "a", to: "c" });
  });
});

describe("ambiguousPairs", () => {
  it("finds none in a catalogue whose slugs can't be confused", () => expect(ambiguousPairs(CATALOGUE)).toEqual([]));

  it("names each pair that reads in two ways, once", () => {
    expect(ambiguousPairs(new Set(["a", "a-b", "b-c", "c"]))).toEqual(["a-b-c"]);
  });
});
