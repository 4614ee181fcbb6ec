import { describe, expect, it } from "vitest";
import { addDecimals } from "#contract/money.ts";
import { sampleInstrument, sampleRate } from "../testing/samples.ts";
import { cardRows } from "./card-rows.ts";
import { needsCheck } from "./card-check.ts";

const USD = sampleInstrument("usd", { currencyTitle: "USD", instrumentType: "fiat", precisionDecimals: 2 });
const BTC = sampleInstrument("btc", { currencyTitle: "BTC", precisionDecimals: 8 });
const fees = [
  { kind: "processing", amount: "7.2" },
  { kind: "platform", amount: "1" },
  { kind: "network", amount: "0.3" },
] as const;

const purchase = sampleRate({
  instrumentFrom: USD,
  instrumentTo: BTC,
  amountToGive: "200",
  amountToGet: "0.00191500",
  noKycThreshold: "150",
  card: { provider: "Mercuryo", direction: "buy", fiat: "usd", fees, marketValue: "191.5", methods: ["Visa"] },
});
const sale = sampleRate({
  instrumentFrom: BTC,
  instrumentTo: USD,
  amountToGive: "0.002",
  amountToGet: "191.5",
  noKycThreshold: "150",
  card: { provider: "Mercuryo", direction: "sell", fiat: "usd", fees, marketValue: "200", methods: [] },
});

const rowsOf = (rate: typeof purchase) => {
  if (rate.card === null) throw new Error("not by card");
  return cardRows(rate, rate.card);
};

describe("cardRows", () => {
  it("add up from what is paid to what the coins are worth", () => {
    const { first, fees: rows, last } = rowsOf(purchase);
    expect(first).toBeNull();
    expect(addDecimals(last ?? "", ...rows.map(({ amount }) => amount))).toBe("200");
    expect(rows).toEqual(fees);
  });

  it("add up from what the coins are worth to what the card gets", () => {
    const { first, fees: rows, last } = rowsOf(sale);
    expect([first, last]).toEqual(["200", null]);
    expect(addDecimals(sale.amountToGet, ...rows.map(({ amount }) => amount))).toBe(first);
  });

  it.each([
    ["a purchase", purchase, "100000", /^104438\.6/],
    ["a sale", sale, "100000", /^95750/],
  ])("say what a coin costs on the market and with all fees: %s", (_, rate, marketPrice, price) => {
    const rows = rowsOf(rate);
    expect(rows.marketPrice).toBe(marketPrice);
    expect(rows.price).toMatch(price);
  });
});

describe("needsCheck", () => {
  it.each([
    ["a purchase by what is paid", { ...purchase, amountToGive: "150", amountToGet: "0.001" }, true],
    ["a purchase below", { ...purchase, amountToGive: "149.99" }, false],
    ["a sale by what the card gets", { ...sale, amountToGive: "0.002", amountToGet: "150.00" }, true],
    ["a sale below", { ...sale, amountToGive: "200", amountToGet: "149.99" }, false],
    ["a provider without a threshold", { ...purchase, noKycThreshold: null }, false],
  ])("%s", (_, rate, isNeeded) => {
    expect(needsCheck(rate)).toBe(isNeeded);
  });
});
