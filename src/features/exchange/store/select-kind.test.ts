import { describe, expect, it } from "vitest";
import { DAI, ETH, sampleInstrument, USDT } from "../testing/samples.ts";
import { openingAt } from "../testing/exchange-page.tsx";
import { chooseInstrument, selectKind } from "./select-kind.ts";
import { kindOfState, offeredKinds, rateRequest, settingsOf } from "./selectors.ts";
import { type Catalogue, type ExchangeState, initialState, swapCoins } from "./state.ts";

const USD = sampleInstrument("usd", { instrumentType: "fiat", precisionDecimals: 2 });
const EUR = sampleInstrument("eur", { instrumentType: "fiat", precisionDecimals: 2 });
const coins = ["eth", "usdt-erc20", "dai-erc20"];
const catalogue: Catalogue = {
  instruments: [ETH, USDT, DAI, USD, EUR],
  pairs: [
    // DAI can't be had by card.
    ...coins.map((from) => ({
      from,
      to: [...coins.filter((slug) => slug !== from), ...(from === "dai-erc20" ? [] : ["usd", "eur"])],
    })),
    { from: "usd", to: ["eth", "usdt-erc20"] },
    { from: "eur", to: ["eth", "usdt-erc20"] },
  ],
};

const at = (from: string, to: string, over: Partial<ExchangeState> = {}): ExchangeState => ({
  ...initialState(openingAt({ from, to, amount: "3", firstRate: null }), null),
  ...over,
});
const formOf = ({ from, to, side, typed, rateMode }: ExchangeState) => [from, to, side, typed, rateMode];

describe("the kinds of the calculator", () => {
  it("are offered as far as pairs are", () => {
    expect(offeredKinds(catalogue)).toEqual(["exchange", "buy", "sell"]);
    expect(offeredKinds({ ...catalogue, pairs: catalogue.pairs.slice(0, 3) })).toEqual(["exchange", "sell"]);
    expect(offeredKinds({ ...catalogue, instruments: [ETH, USDT, DAI] })).toEqual(["exchange"]);
  });

  it.each([
    ["buys what was to be got", "eth", "usdt-erc20", "buy", ["usd", "usdt-erc20", "from", "200", "FLOATING"]],
    [
      "buys the other coin where that can't be bought",
      "eth",
      "dai-erc20",
      "buy",
      ["usd", "eth", "from", "200", "FLOATING"],
    ],
    ["sells what was to be sent", "eth", "usdt-erc20", "sell", ["eth", "usd", "from", "0.01", "FLOATING"]],
    ["turns a purchase into a sale", "eur", "eth", "sell", ["eth", "eur", "from", "0.01", "FLOATING"]],
    ["turns a sale into a purchase", "eth", "eur", "buy", ["eur", "eth", "from", "200", "FLOATING"]],
  ] as const)("%s", (_, from, to, kind, form) => {
    const state = at(from, to, { rateMode: "FIXED" });
    selectKind(catalogue, state, kind);
    expect(formOf(state)).toEqual(form);
    expect(state.isDefaultAmount).toBe(true);
    expect(rateRequest(catalogue, settingsOf(state))).toMatchObject({ exchangeType: "fiat", rateMode: "FLOATING" });
  });

  it("come back to the coins and the amount that were there", () => {
    const state = at("eth", "dai-erc20", { side: "to", typed: "7" });
    selectKind(catalogue, state, "buy");
    selectKind(catalogue, state, "sell");
    selectKind(catalogue, state, "exchange");
    expect(formOf(state)).toEqual(["eth", "dai-erc20", "to", "7", "FLOATING"]);
  });

  it("find coins for a page that opened with a currency", () => {
    const state = at("usd", "eth");
    selectKind(catalogue, state, "exchange");
    expect(formOf(state).slice(0, 4)).toEqual(["usdt-erc20", "eth", "from", "500"]);
  });

  it("are toggled by the swap, and the amount stays with its side", () => {
    const state = at("usd", "eth");
    swapCoins(state);
    expect(kindOfState(catalogue, state)).toBe("sell");
    expect(formOf(state).slice(0, 4)).toEqual(["eth", "usd", "to", "3"]);
  });

  it("follow a currency that is chosen in the list, and never put one on both sides", () => {
    const state = at("eth", "usdt-erc20");
    chooseInstrument(catalogue, state, "from", "usd");
    expect(formOf(state)).toEqual(["usd", "usdt-erc20", "from", "200", "FLOATING"]);
    chooseInstrument(catalogue, state, "to", "eur");
    expect(formOf(state).slice(0, 2)).toEqual(["usdt-erc20", "eur"]);
    chooseInstrument(catalogue, state, "to", "eth");
    expect(kindOfState(catalogue, state)).toBe("exchange");
  });
});
