import { expect, it } from "vitest";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { coinQuestions } from "./coin-questions.ts";

const t = createI18n("en", allMessages("en")).getFixedT(null, "prices");
const coin = {
  symbol: "xrp",
  name: "XRP",
  ticker: "XRP",
  slugs: ["xrp"],
  priceUsd: "2.5",
  change24h: "-1.24",
  change7d: "3",
  sparkline: [],
  mark: { currencyTitle: "XRP", networkTitle: "XRP", instrumentType: "other" as const },
};
const network = sampleInstrument("xrp", { networkFriendlyTitle: "XRP Ledger", confirmations: 1 });
const asked = (given: Partial<Parameters<typeof coinQuestions>[0]>) =>
  coinQuestions({ coin, networks: [network], limits: { min: "10", max: null }, ...given }, t);
const answers = (given: Parameters<typeof asked>[0] = {}) => asked(given).map(({ answer }) => answer);

it("answers by the coin's facts", () => {
  expect(answers()).toEqual([
    "XRP costs $2.50 now: −1.24% in 24 hours, +3.00% in 7 days.",
    "XRP is exchanged here on 1 network: XRP Ledger.",
    "XRP Ledger: 1 confirmation.",
    "From 10\u00A0XRP. There is no upper limit for a floating rate now.",
  ]);
});

it("asks nothing that it can't answer", () => {
  const given = { coin: { ...coin, priceUsd: null }, limits: null };
  expect(answers(given)).toHaveLength(2);
});

it("says where a memo is needed", () => {
  const memo = { ...network, requiresMemo: true };
  expect(asked({ networks: [memo] }).at(-1)?.question).toBe("Do I need a memo for XRP?");
  const tag = { ...memo, networkTitle: "XRP" };
  expect(asked({ networks: [tag] }).at(-1)?.question).toBe("Do I need a destination tag for XRP?");
});
