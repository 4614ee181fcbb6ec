import { expect, it } from "vitest";
import { isListedPair, listedPairs, type PairCatalogue } from "./listed-pairs.ts";

const coin = (slug: string, isPopular: boolean, currencyTitle = slug.toUpperCase()) => ({
  slug,
  currencyTitle,
  isPopular,
});
const everyPair = (instruments: PairCatalogue["instruments"]) =>
  instruments.map(({ slug: from }) => ({
    from,
    to: instruments.map(({ slug }) => slug).filter((to) => to !== from),
  }));
const instruments = [
  coin("btc", true),
  coin("usdt-erc20", true, "USDT"),
  coin("usdt-trc20", true, "USDT"),
  coin("doge", false),
];
const catalogue: PairCatalogue = {
  instruments,
  pairs: everyPair(instruments).map(({ from, to }) => ({ from, to: to.filter((slug) => slug !== "btc") })),
};
const lastAt = "2026-11-20T00:00:00.000Z";

it.each([
  ["two popular coins", "btc", "usdt-erc20", false, true],
  ["one popular coin", "btc", "doge", false, false],
  ["one popular coin, asked for", "btc", "doge", true, true],
  ["no popular coin, asked for", "doge", "usdt-erc20", true, true],
  ["the same coin on two networks", "usdt-erc20", "usdt-trc20", false, false],
  ["the same coin on two networks, asked for", "usdt-erc20", "usdt-trc20", true, true],
  ["a pair that is not offered", "usdt-erc20", "btc", true, false],
  ["an unknown coin", "btc", "nothing", true, false],
])("%s: search engines may keep its page or not, as the list says", (_, from, to, isAskedFor, expected) => {
  expect(isListedPair(catalogue, { from, to, isAskedFor })).toBe(expected);
  const listed = listedPairs(catalogue, isAskedFor ? [{ from, to, lastAt }] : []);
  expect(listed.filter((pair) => pair.from === from && pair.to === to)).toEqual(
    expected ? [{ from, to, lastAt: isAskedFor ? lastAt : null }] : [],
  );
});

it("lists each pair once, those that are asked for first", () => {
  const asked = { from: "btc", to: "usdt-trc20", lastAt };
  expect(listedPairs(catalogue, [asked, asked])).toEqual([asked, { from: "btc", to: "usdt-erc20", lastAt: null }]);
});

it("2,000 coins are no crawl trap, even where all of them are popular", () => {
  const many = Array.from({ length: 2_000 }, (_, n) => coin(`c${n}`, true));
  const to = many.map(({ slug }) => slug);
  const listed = listedPairs({ instruments: many, pairs: to.map((from) => ({ from, to })) }, []);
  expect(listed).toHaveLength(40 * 39);
  expect(listed).toContainEqual({ from: "c0", to: "c39", lastAt: null });
});
