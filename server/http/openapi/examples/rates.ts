import type { priceCalls } from "#contract/calls/prices.ts";
import type { rateCalls } from "#contract/calls/rates.ts";
import type { ExamplesOf } from "./example.ts";
import { AT, ETH, ORDER_KEY, RATE, USDT } from "./exchange.ts";

const PRICE_USD = "3127.9486";

export const rateExamples: ExamplesOf<keyof typeof rateCalls | keyof typeof priceCalls> = {
  validateAddress: {
    body: { address: ORDER_KEY.destinationAddress, currencyTitle: "ETH", networkTitle: "ETH", getRejectReason: true },
    answer: { result: true, code: null },
  },
  defaultPair: { answer: { instrumentFrom: ETH, instrumentTo: USDT } },
  recommendedAmount: {
    query: {
      instrumentFromCurrencyTitle: "ETH",
      instrumentFromNetworkTitle: "ETH",
      instrumentToCurrencyTitle: "USDT",
      instrumentToNetworkTitle: "ETH",
      rateMode: "FLOATING",
    },
    answer: { recommendedAmount: "0.1" },
  },
  rate: {
    query: {
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      claimedDepositAmount: RATE.claimedDepositAmount,
      claimedDepositAmountCurrency: "eth",
      rateMode: "FLOATING",
      exchangeType: "crypto",
    },
    answer: RATE,
  },
  instruments: { query: { all: "false" }, answer: [ETH, USDT] },
  instrumentsV1: { query: { all: "false" }, answer: [ETH, USDT] },
  pairs: {
    answer: [
      { from: "eth", to: ["usdt-erc20", "usdc-erc20"] },
      { from: "usdt-erc20", to: ["eth", "usdc-erc20"] },
    ],
  },
  prices: {
    query: { symbols: "eth,usdt" },
    answer: [
      {
        symbol: "eth",
        name: "Ethereum",
        slugs: ["eth"],
        priceUsd: PRICE_USD,
        change24h: "1.84",
        change7d: "-3.2",
        sparkline: ["3071.4302", null, "3098.1175", PRICE_USD],
      },
      {
        symbol: "usdt",
        name: "Tether",
        slugs: ["usdt-erc20", "usdt-trc20"],
        priceUsd: "1.0002509",
        change24h: "0.01",
        change7d: "0",
        sparkline: ["1.0001", "1.0002", "1.0002", "1.0002509"],
      },
    ],
  },
  priceHistory: {
    params: { symbol: "eth" },
    query: { range: "24h" },
    answer: {
      symbol: "eth",
      range: "24h",
      points: [
        ["2026-11-21T11:58:00.000Z", "3126.8112"],
        ["2026-11-21T11:59:00.000Z", "3127.4065"],
        [AT, PRICE_USD],
      ],
      updatedAt: AT,
      day: { low: "3064.9071", high: "3139.55" },
    },
  },
};
