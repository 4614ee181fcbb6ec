import { describe, expect, it } from "vitest";
import { formatAmount, powerOfTen, toMinor } from "#contract/money.ts";
import { findQuote, matchesClaim, type ClaimedRate } from "./claimed-rate.ts";
import type { Pricing } from "./pricing.ts";
import { quote, type Quote, type QuoteRequest, type QuoteTerms } from "./quote.ts";

const usd = (price: bigint) => price * powerOfTen(18);
const terms: QuoteTerms = {
  from: { decimals: 18, priceUsd: usd(3000n) },
  to: { decimals: 6, priceUsd: usd(1n) },
  platformFeeBps: 50n,
  spreadBps: 0n,
  networkFee: toMinor(1_250_000n),
};
const pricing = { terms, to: { decimals: 6 } } as Pricing;
const half = toMinor<"from">(5n * powerOfTen(17));

function quoted(ask: QuoteRequest): Quote {
  const made = quote(terms, ask);
  if (made === null) throw new Error("the fees exceed the amount");
  return made;
}
const claimOf = (made: Quote, changes: Partial<ClaimedRate> = {}): ClaimedRate => ({
  price: made.price,
  updatedAt: "2026-01-01T00:00:00.000Z",
  claimedAmountToReceive: formatAmount(made.amountTo, 6),
  ...changes,
});
const ofHalf = quoted({ side: "from", amount: half });

describe("a claim of a floating rate", () => {
  const matches = (changes: Partial<ClaimedRate>, bps = 100n) => matchesClaim(claimOf(ofHalf, changes), ofHalf, 6, bps);

  it("matches what is quoted, up to the tolerance and no further", () => {
    expect(matches({}, 0n)).toBe(true);
    expect(matches({ claimedAmountToReceive: formatAmount(ofHalf.amountTo + 1n, 6) }, 0n)).toBe(false);
    expect(matches({ claimedAmountToReceive: formatAmount((ofHalf.amountTo * 101n) / 100n, 6) })).toBe(true);
    expect(matches({ claimedAmountToReceive: formatAmount((ofHalf.amountTo * 102n) / 100n, 6) })).toBe(false);
  });

  it("has to match in its price too", () => {
    expect(matches({ price: "2982.6" })).toBe(true);
    expect(matches({ price: "3100" })).toBe(false);
    expect(matches({ price: "0" })).toBe(false);
  });

  it("does not match where its amount is finer than the coin", () => {
    expect(matches({ claimedAmountToReceive: "1491.2500001" })).toBe(false);
  });
});

describe("a claim of a fixed rate", () => {
  it("is found by the amount that is sent", () => {
    expect(findQuote(pricing, half, claimOf(ofHalf))).toEqual(ofHalf);
  });

  it("is found by the amount that arrives", () => {
    const ofWhole = quoted({ side: "to", amount: toMinor(1_000_000_000n) });
    // Rounding makes the quote of the sum another one.
    expect(quoted({ side: "from", amount: ofWhole.amountFrom }).amountTo).not.toBe(1_000_000_000n);
    expect(findQuote(pricing, ofWhole.amountFrom, claimOf(ofWhole))).toEqual(ofWhole);
  });

  it.each<[string, bigint, Partial<ClaimedRate>]>([
    ["another sum", half + 1n, {}],
    ["an amount that is one unit better", half, { claimedAmountToReceive: formatAmount(ofHalf.amountTo + 1n, 6) }],
    ["another price", half, { price: "2982.6" }],
    ["no amount", half, { claimedAmountToReceive: "0" }],
    ["an amount finer than the coin", half, { claimedAmountToReceive: "1491.2500001" }],
  ])("is not found with %s", (_, amountFrom, changes) => {
    expect(findQuote(pricing, amountFrom, claimOf(ofHalf, changes))).toBeNull();
  });
});
