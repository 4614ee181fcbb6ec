import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import catalogue from "../server/catalogue/catalogue.json" with { type: "json" };
import { FIAT_SYMBOLS, FILE_MARKS, MARKS } from "#contract/site/coin-marks.ts";

const FILE = new URL("../public/icons/coins.svg", import.meta.url);

it("every listed mark is in the file of marks, and no other", () => {
  const ids = Array.from(readFileSync(FILE, "utf8").matchAll(/<symbol id="(\w+)"/g), ([, id]) => id);
  expect(new Set(ids)).toEqual(new Set(Object.keys(FILE_MARKS).map((ticker) => ticker.toLowerCase())));
});

it("every coin and network of the catalogue has a mark", () => {
  const tickers = catalogue.instruments.flatMap(({ currencyTitle, networkTitle }) => [currencyTitle, networkTitle]);
  const marks = { ...MARKS, ...FILE_MARKS, ...FIAT_SYMBOLS };
  expect(tickers.filter((ticker) => !(ticker in marks))).toEqual([]);
});
