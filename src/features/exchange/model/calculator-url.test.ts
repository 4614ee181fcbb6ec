import { describe, expect, it } from "vitest";
import { exchangePath, homePath, readCalculatorQuery } from "./calculator-url.ts";
import { DAI, ETH, sampleInstrument, USDT } from "../testing/samples.ts";

const instruments = [ETH, USDT, DAI, sampleInstrument("usd", { instrumentType: "fiat" })];
const pair = { from: "eth", to: "usdt-erc20" };
const read = (query: string) => readCalculatorQuery(new URLSearchParams(query), pair, instruments);
const defaults = { ...pair, amount: "500", side: "from", rateMode: "FLOATING", ref: null };

describe("readCalculatorQuery", () => {
  it.each([
    ["", {}],
    ["amount=0.25", { amount: "0.25" }],
    ["amount=0,25", { amount: "0.25" }],
    ["amount=abc", {}],
    ["amount=-1", {}],
    ["amount=0", {}],
    ["amount=1e5", {}],
    ["amount=", {}],
    [`amount=${"9".repeat(41)}`, {}],
    ["send=dai-erc20", { from: "dai-erc20" }],
    ["send=DAI-ERC20&receive=eth", { from: "dai-erc20", to: "eth" }],
    ["send=usdt-erc20&receive=usdt-erc20", {}],
    ["send=usdt-erc20", {}],
    ["receive=doge", {}],
    ["send=usd", { from: "usd", amount: "200" }],
    ["receive=usd", { to: "usd", amount: "0.01" }],
    ["receive=usd&amount=3", { to: "usd", amount: "3" }],
    ["ref=partner", { ref: "partner" }],
    [`ref=${"r".repeat(129)}`, {}],
    ["mode=fixed&coin=usdt-erc20&amount=2", { rateMode: "FIXED", side: "to", amount: "2" }],
    ["coin=USDT-ERC20&amount=2", { side: "to", amount: "2" }],
    ["coin=eth&amount=2", { amount: "2" }],
    ["coin=dai-erc20&amount=2", { amount: "2" }],
    ["receive=dai-erc20&coin=dai-erc20&amount=2", { to: "dai-erc20", side: "to", amount: "2" }],
    ["coin=usdt-erc20", {}],
    ["mode=never&coin=left", {}],
  ])("%s", (query, change) => {
    expect(read(query)).toEqual({ ...defaults, ...change });
  });

  it("reads back what it writes", () => {
    const settings = { ...pair, amount: "0.25", side: "to", rateMode: "FIXED", ref: "partner" } as const;
    for (const path of [exchangePath(settings), homePath(settings)])
      expect(read(path.split("?")[1] ?? "")).toEqual(settings);
  });
});
