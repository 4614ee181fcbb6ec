import { expect, it } from "vitest";
import { pairNames, pairTitles, pairValues } from "./pair-names.ts";

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

it("names the standards of tokens in titles, so that no two pairs have one", () => {
  const token = { ...coin("USDT", "Tron"), networkStandard: "TRC20" };
  expect(pairTitles(coin("ETH", "Ethereum"), token)).toEqual({ fromName: "ETH", toName: "USDT TRC20" });
  expect(pairTitles({ ...coin("USDT", "Ethereum"), networkStandard: "ERC20" }, token).toName).toBe("USDT\u00A0(Tron)");
});
