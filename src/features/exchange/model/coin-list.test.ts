import { describe, expect, it } from "vitest";
import { searchInstruments, coinRows, slugsOfRows } from "./coin-list.ts";
import { countryNames } from "./currencies.ts";
import { DAI, ETH, sampleInstrument, USDT } from "../testing/samples.ts";

const TRON_USDT = sampleInstrument("usdt-trc20", {
  currencyFriendlyTitle: "Tether",
  networkTitle: "TRX",
  networkFriendlyTitle: "TRON",
});
const catalogue = [ETH, USDT, DAI, TRON_USDT];
const slugs = (query: string) => searchInstruments(catalogue, query).map(({ slug }) => slug);

describe("searchInstruments", () => {
  it.each([
    ["", ["eth", "usdt-erc20", "dai-erc20", "usdt-trc20"]],
    ["eth", ["eth", "usdt-erc20", "usdt-trc20", "dai-erc20"]],
    ["tether", ["usdt-erc20", "usdt-trc20"]],
    ["USD", ["usdt-erc20", "usdt-trc20"]],
    ["tron", ["usdt-trc20"]],
    ["usdt trc20", ["usdt-trc20"]],
    ["  usdt   ethereum ", ["usdt-erc20"]],
    ["0xdac17f958d", ["usdt-erc20"]],
    ["0xda", []],
    ["bitcoin", []],
  ])("%j finds %j", (query, found) => {
    expect(slugs(query)).toEqual(found);
  });
});

describe("a currency", () => {
  const fiat = (ticker: string) =>
    sampleInstrument(ticker.toLowerCase(), { currencyTitle: ticker, instrumentType: "fiat" });
  const currencies = [fiat("USD"), fiat("EUR"), fiat("PLN")];

  it.each([
    ["en", "germ", ["eur"]],
    ["en", "united states", ["usd"]],
    ["ru", "Германия", ["eur"]],
    ["ru", "эквадор", ["usd"]],
    ["en", "usd", ["usd"]],
    ["en", "poland", []],
  ])("in %s is found by a country that pays with it: %s", (locale, query, found) => {
    expect(searchInstruments(currencies, query, countryNames(locale)).map(({ slug }) => slug)).toEqual(found);
  });
});

const rowCatalogue = [USDT, ETH, sampleInstrument("usdt-trc20"), DAI, sampleInstrument("usdt-ton")];

const drawn = (isGrouped: boolean) =>
  coinRows(rowCatalogue, isGrouped).map((row) =>
    row.kind === "heading"
      ? row.group.currencyTitle
      : `${row.underHeading === null ? "" : row.underHeading.isFirst ? "┌" : row.underHeading.isLast ? "└" : "│"}${row.key}`,
  );

describe("coinRows", () => {
  it("puts the networks of a coin under its heading, and a coin of one network by itself", () => {
    expect(drawn(true)).toEqual(["USDT", "┌usdt-erc20", "│usdt-trc20", "└usdt-ton", "eth", "dai-erc20"]);
  });

  it("keeps the order of a search", () => {
    expect(drawn(false)).toEqual(["usdt-erc20", "eth", "usdt-trc20", "dai-erc20", "usdt-ton"]);
  });

  it("gives the arrow keys the order that is seen", () => {
    expect(slugsOfRows(coinRows(rowCatalogue, true))).toEqual([
      "usdt-erc20",
      "usdt-trc20",
      "usdt-ton",
      "eth",
      "dai-erc20",
    ]);
  });
});
