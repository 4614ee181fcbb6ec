import { describe, expect, it } from "vitest";
import { coinRows, slugsOfRows } from "./coin-rows.ts";
import { DAI, ETH, sampleInstrument, USDT } from "./samples.ts";

const catalogue = [USDT, ETH, sampleInstrument("usdt-trc20"), DAI, sampleInstrument("usdt-ton")];

const drawn = (isGrouped: boolean) =>
  coinRows(catalogue, isGrouped).map((row) =>
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
    expect(slugsOfRows(coinRows(catalogue, true))).toEqual([
      "usdt-erc20",
      "usdt-trc20",
      "usdt-ton",
      "eth",
      "dai-erc20",
    ]);
  });
});
