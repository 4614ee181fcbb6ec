import { describe, expect, it } from "vitest";
import { groupByCoin, searchInstruments } from "./instrument-search.ts";
import { DAI, ETH, sampleInstrument, USDT } from "./samples.ts";

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

describe("groupByCoin", () => {
  it("puts the networks of a coin under it", () => {
    expect(groupByCoin(catalogue).map(({ currencyTitle, instruments }) => [currencyTitle, instruments.length])).toEqual(
      [
        ["ETH", 1],
        ["USDT", 2],
        ["DAI", 1],
      ],
    );
  });
});
