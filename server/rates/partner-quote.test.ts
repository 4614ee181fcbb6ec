import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMinor } from "#contract/money.ts";
import { quote, bestQuote, amountToOf, amountFromOf, partnerQuote, type Curve, type PartnerTerms } from "./quote.ts";

const SCALE = 10n ** 18n;
const MILLI = 10n ** 15n;
const USDT = 1_000_000n;
const curve: Curve = [
  { amountFrom: 10n * MILLI, amountTo: 28n * USDT },
  { amountFrom: 100n * MILLI, amountTo: 298n * USDT },
  { amountFrom: 10_000n * MILLI, amountTo: 29_899n * USDT },
];
const terms: PartnerTerms = {
  from: { decimals: 18, priceUsd: 3000n * SCALE },
  to: { decimals: 6, priceUsd: SCALE },
  feeBps: 50n,
  sendingFee: MILLI,
};
const offer = { partner: "some", curve };
const exactFrom = (milli: bigint) => ({ side: "from", amount: toMinor<"from">(milli * MILLI) }) as const;
const exactTo = (usdt: bigint) => ({ side: "to", amount: toMinor<"to">(usdt * USDT) }) as const;

describe("a curve", () => {
  it("is exact at its points and straight between them", () => {
    expect(amountToOf(curve, 10n * MILLI)).toBe(28n * USDT);
    expect(amountToOf(curve, 55n * MILLI)).toBe(163n * USDT);
    expect(amountToOf(curve, 10_000n * MILLI)).toBe(29_899n * USDT);
  });

  it("is null outside of its points", () => {
    expect(amountToOf(curve, 10n * MILLI - 1n)).toBeNull();
    expect(amountToOf(curve, 10_000n * MILLI + 1n)).toBeNull();
    expect(amountFromOf(curve, 28n * USDT - 1n)).toBeNull();
    expect(amountFromOf(curve, 29_899n * USDT + 1n)).toBeNull();
    expect(amountToOf([], MILLI)).toBeNull();
  });

  it("never promises more than it can deliver", () => {
    fc.assert(
      fc.property(fc.bigInt(28n * USDT, 29_899n * USDT), (wish) => {
        const cost = amountFromOf(curve, wish) ?? -1n;
        expect(amountToOf(curve, cost)).toBeGreaterThanOrEqual(wish);
        expect(amountToOf(curve, cost - 1n) ?? 0n).toBeLessThan(wish);
      }),
    );
  });
});

describe("a partner's quote", () => {
  it("takes our fee and the cost of sending from the deposit and funds the partner with the rest", () => {
    const made = partnerQuote(terms, offer, exactFrom(500n));
    expect(made).toMatchObject({ partner: "some", funding: 496_500_000_000_000_000n });
    expect(made?.quote.amountTo).toBe(amountToOf(curve, 496_500_000_000_000_000n));
  });

  it("adds up in both directions, also when the partner beats the market", () => {
    const dear = { partner: "dear", curve: curve.map((point) => ({ ...point, amountTo: point.amountTo * 2n })) };
    for (const made of [
      partnerQuote(terms, offer, exactFrom(500n)),
      partnerQuote(terms, dear, exactFrom(500n)),
      partnerQuote(terms, offer, exactTo(1000n)),
    ]) {
      const { gross, platformFee, networkFee, amountTo: arrives } = made?.quote ?? unreachable();
      expect(gross - platformFee - networkFee).toBe(arrives);
      expect(platformFee).toBeGreaterThanOrEqual(0n);
    }
  });

  it("asks for enough to deliver the requested amount", () => {
    fc.assert(
      fc.property(fc.bigInt(30n * USDT, 29_000n * USDT), (wish) => {
        const made = partnerQuote(terms, offer, { side: "to", amount: toMinor(wish) }) ?? unreachable();
        const back = partnerQuote(terms, offer, { side: "from", amount: made.quote.amountFrom }) ?? unreachable();
        expect(back.quote.amountTo).toBeGreaterThanOrEqual(wish);
        expect(made.quote.amountFrom - back.funding).toBeGreaterThanOrEqual(terms.sendingFee);
      }),
    );
  });

  it("is null where the fees exceed the deposit or the partner doesn't quote the amount", () => {
    expect(partnerQuote(terms, offer, exactFrom(1n))).toBeNull();
    expect(partnerQuote(terms, offer, exactFrom(20_000n))).toBeNull();
    expect(partnerQuote(terms, offer, exactTo(0n))).toBeNull();
  });
});

describe("the best of several quotes", () => {
  const own = {
    provider: "treasury",
    quote:
      quote({ ...terms, platformFeeBps: 50n, spreadBps: 0n, networkFee: toMinor(USDT) }, exactFrom(500n)) ??
      unreachable(),
  };
  const partner = { provider: "some", quote: partnerQuote(terms, offer, exactFrom(500n))?.quote ?? unreachable() };

  it("is the one that delivers most, whichever comes first", () => {
    expect(own.quote.amountTo).toBeGreaterThan(partner.quote.amountTo);
    expect(bestQuote([own, partner], exactFrom(500n))?.provider).toBe("treasury");
    expect(bestQuote([partner, own], exactFrom(500n))?.provider).toBe("treasury");
  });

  it("is the one that asks least for the same", () => {
    const [cheap, dear] = [10n, 11n].map((asked) => ({ quote: { ...own.quote, amountFrom: toMinor<"from">(asked) } }));
    expect(bestQuote([dear ?? unreachable(), cheap ?? unreachable()], exactTo(1n))).toBe(cheap);
  });

  it("is the first of equals, and null of none", () => {
    expect(bestQuote([own, { ...own, provider: "twin" }], exactFrom(500n))?.provider).toBe("treasury");
    expect(bestQuote([], exactFrom(500n))).toBeNull();
  });
});

const unreachable = (): never => {
  throw new Error("there is no quote");
};
