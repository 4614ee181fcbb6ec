import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { powerOfTen, toMinor } from "#contract/money.ts";
import { quote, type QuoteTerms } from "./quote.ts";

const usd = (price: bigint) => price * powerOfTen(18);
const ethToUsdt: QuoteTerms = {
  from: { decimals: 18, priceUsd: usd(3000n) },
  to: { decimals: 6, priceUsd: usd(1n) },
  platformFeeBps: 50n,
  spreadBps: 0n,
  networkFee: toMinor(1_250_000n),
};
const half = toMinor<"from">(5n * powerOfTen(17));

describe("quote", () => {
  it("takes the platform fee and the network fee from the market value", () => {
    const quoted = quote(ethToUsdt, { side: "from", amount: half });
    expect(quoted).toMatchObject({
      amountFrom: half,
      gross: 1_500_000_000n,
      platformFee: 7_500_000n,
      networkFee: 1_250_000n,
      amountTo: 1_491_250_000n,
      price: "2982.5",
    });
  });

  it("asks for what delivers exactly the requested amount", () => {
    const quoted = quote(ethToUsdt, { side: "to", amount: toMinor(1_491_250_000n) });
    expect(quoted).toMatchObject({ amountFrom: half, amountTo: 1_491_250_000n });
  });

  it("is null when the fees exceed the amount", () => {
    expect(quote(ethToUsdt, { side: "from", amount: toMinor(10n ** 14n) })).toBeNull();
    expect(quote(ethToUsdt, { side: "to", amount: toMinor(0n) })).toBeNull();
  });

  it("includes the spread in the platform fee", () => {
    const quoted = quote({ ...ethToUsdt, spreadBps: 100n }, { side: "from", amount: half });
    expect(quoted?.platformFee).toBe(22_500_000n);
  });

  const side = fc.record({
    decimals: fc.integer({ min: 2, max: 18 }),
    priceUsd: fc.bigInt({ min: 10n ** 10n, max: 10n ** 24n }),
  });
  const terms = fc.record({
    from: side,
    to: side,
    platformFeeBps: fc.bigInt({ min: 0n, max: 500n }),
    spreadBps: fc.bigInt({ min: 0n, max: 300n }),
    networkFee: fc.bigInt({ min: 0n, max: 10n ** 12n }).map(toMinor<"to">),
  });
  const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });

  it("always adds up and never pays more than the market value", () => {
    fc.assert(
      fc.property(terms, amount, (given, sent) => {
        const quoted = quote(given, { side: "from", amount: toMinor(sent) });
        if (quoted === null) return;
        expect(quoted.gross - quoted.platformFee - quoted.networkFee).toBe(quoted.amountTo);
        const paid = quoted.amountTo * given.to.priceUsd * powerOfTen(given.from.decimals);
        expect(paid <= sent * given.from.priceUsd * powerOfTen(given.to.decimals)).toBe(true);
        expect(quoted.platformFee >= (quoted.gross * (given.platformFeeBps + given.spreadBps)) / 10_000n).toBe(true);
      }),
    );
  });

  it("asks for at least as much in reverse as the forward quote needs, so that rounding is never in the customer's favour", () => {
    fc.assert(
      fc.property(terms, amount, (given, wanted) => {
        const reverse = quote(given, { side: "to", amount: toMinor(wanted) });
        if (reverse === null) return;
        expect(reverse.gross - reverse.platformFee - reverse.networkFee).toBe(reverse.amountTo);
        const paid = reverse.amountTo * given.to.priceUsd * powerOfTen(given.from.decimals);
        expect(paid <= reverse.amountFrom * given.from.priceUsd * powerOfTen(given.to.decimals)).toBe(true);
      }),
    );
  });
});
