import { expect, it } from "vitest";
import { pairNames, pairValues } from "./pair-names.ts";

const coin = (currencyTitle: string, networkFriendlyTitle: string) => ({ currencyTitle, networkFriendlyTitle });

it("names two coins by their tickers, and by their networks too where these are equal", () => {
  expect(pairNames(coin("ETH", "Ethereum"), coin("USDT", "Tron"))).toEqual({ from: "ETH", to: "USDT" });
  expect(pairNames(coin("USDT", "Tron"), coin("USDT", "Ethereum"))).toEqual({
    from: "USDT\u00A0(Tron)",
    to: "USDT\u00A0(Ethereum)",
  });
});

it("gives a pair's texts both tickers, both networks and the names that tell the coins apart", () => {
  expect(pairValues(coin("USDT", "Tron"), coin("USDT", "Ethereum"))).toEqual({
    fromName: "USDT\u00A0(Tron)",
    toName: "USDT\u00A0(Ethereum)",
    from: "USDT",
    to: "USDT",
    fromNetwork: "Tron",
    toNetwork: "Ethereum",
  });
});
