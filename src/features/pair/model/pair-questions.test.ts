import { expect, it } from "vitest";
import type { PairData } from "#contract/rate.ts";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { pairFacts } from "./pair-facts.ts";
import { pairQuestions } from "./pair-questions.ts";

const i18n = createI18n("en", allMessages("en"));
const eth = sampleInstrument("eth", { networkFriendlyTitle: "Ethereum" });
const usdt = sampleInstrument("usdt-trc20", { networkFriendlyTitle: "TRON", networkStandard: "TRC20" });
const xrp = sampleInstrument("xrp", { networkFriendlyTitle: "XRP Ledger", requiresMemo: true });
const rate = {
  amountToGet: "994",
  platformFee_Absolute: "5",
  finalNetworkFeeAmount: "1",
  depositRules: { minAmount: "0.01", maxAmount: "12" },
  estimatedSeconds: 300,
} as PairData;
const statistics = { exchanges: 40, medianSeconds: 420, delivered: null };
const activity = { isAskedFor: true, latest: [], statistics };
const ask = (facts: ReturnType<typeof pairFacts>) =>
  pairQuestions(facts, 20, i18n.getFixedT(null, "pair"), i18n.getFixedT(null, "common"));
const answers = (...given: Parameters<typeof pairFacts>) => ask(pairFacts(...given)).map(({ answer }) => answer);

it("takes its facts from the rate and from what was measured", () => {
  expect(pairFacts(eth, usdt, rate, activity)).toMatchObject({
    limits: { min: "0.01", max: "12" },
    feePercent: "0.5",
    networkFee: "1",
    medianSeconds: 420,
    estimatedSeconds: 300,
  });
  expect(pairFacts(eth, usdt, null, null)).toMatchObject({ limits: null, feePercent: null, medianSeconds: null });
});

it("answers with what was measured here rather than with an estimate", () => {
  const [time] = answers(eth, usdt, rate, activity);
  expect(time).toBe(
    "Your ETH needs 3 confirmations on Ethereum; then the payout is sent. Half of the last exchanges of this pair took 7\u00A0min or less from the deposit to the payout.",
  );
  expect(answers(eth, usdt, rate, { ...activity, statistics: null })[0]).toContain("about 5\u00A0min");
});

it("states limits, fees and networks as they are", () => {
  const all = answers(eth, usdt, rate, null);
  expect(all).toContain("From 0.01 to 12\u00A0ETH in one order now. The limits follow the market.");
  expect(all).toContain(
    "Our fee is 0.5%, and the payout’s network fee is 1\u00A0USDT now. Both are in the rate that you see: nothing is taken on top.",
  );
  expect(all.join()).toContain("an address of TRON (TRC20) for USDT");
});

it("asks nothing that it can't answer, and about memos only where there are some", () => {
  expect(answers(eth, usdt, null, null)).toHaveLength(3);
  expect(answers(xrp, usdt, null, null)).toHaveLength(4);
  expect(answers(eth, xrp, null, null)).toHaveLength(4);
});
