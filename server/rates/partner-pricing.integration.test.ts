import { beforeAll, describe, expect, it } from "vitest";
import type { PairData, RateRequest } from "#contract/rate.ts";
import { loadCatalogue, type Catalogue } from "../catalogue/index.ts";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { TestMarket } from "../../tests/support/http/http-app.ts";
import { offerKey, type Curve } from "./quote.ts";
import { createPriceSnapshots } from "./snapshots/price-snapshot.ts";

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await loadCatalogue();
});

const request = (changes: Partial<RateRequest> = {}): RateRequest => ({
  instrumentFromSlug: "eth",
  instrumentToSlug: "usdt-erc20",
  claimedDepositAmount: "1",
  rateMode: "FLOATING",
  exchangeType: "crypto",
  ...changes,
});

/** A partner that delivers so many USDT for an ETH, less 1 USDT, from 0.1 to 10 ETH. */
const curveAt = (rate: bigint): Curve =>
  [100n, 10_000n].map((milli) => ({ amountFrom: milli * 10n ** 15n, amountTo: milli * rate * 1_000n - 1_000_000n }));

function marketWith(quotes: Record<string, bigint>): TestMarket {
  const market = new TestMarket();
  const snapshot = market.stored.at(-1);
  if (snapshot === undefined) throw new Error("the market has no snapshot");
  const partners = new Map(
    Object.entries(quotes).map(([partner, rate]) => [offerKey(partner, "eth", "usdt-erc20"), curveAt(rate)]),
  );
  market.stored.push({ ...snapshot, partners });
  return market;
}

const codeOf = ({ liquidityProviderPublicCode }: PairData): string => liquidityProviderPublicCode;

describe("the best quote", () => {
  it("wins, and the pair data name its provider", () => {
    expect(codeOf(marketWith({}).rates(catalogue).pairData(request()))).toBe("treasury");
    expect(codeOf(marketWith({ changenow: 2_980n, sideshift: 2_990n }).rates(catalogue).pairData(request()))).toBe(
      "treasury",
    );
    const better = marketWith({ changenow: 3_010n, sideshift: 3_020n }).rates(catalogue).pairData(request());
    expect(codeOf(better)).toBe("sideshift");
    const own = marketWith({}).rates(catalogue).pairData(request());
    expect(Number(better.amountToGet)).toBeGreaterThan(Number(own.amountToGet));
  });

  it("wins in the other direction too: the smallest amount to send", () => {
    const ask = request({ claimedDepositAmount: "1500", claimedDepositAmountCurrency: "usdt-erc20" });
    const own = marketWith({}).rates(catalogue).pairData(ask);
    const better = marketWith({ sideshift: 3_020n }).rates(catalogue).pairData(ask);
    expect(codeOf(better)).toBe("sideshift");
    expect(better.amountToGet).toBe("1500");
    expect(Number(better.amountToGive)).toBeLessThan(Number(own.amountToGive));
  });

  it("is the partner's where our own balance is too low, worse or not", () => {
    const rates = marketWith({ changenow: 2_900n }).rates(catalogue, () => 0n);
    expect(codeOf(rates.pairData(request()))).toBe("changenow");
    expect(() => rates.pairData(request({ claimedDepositAmount: "20" }))).toThrow("can't be paid out");
  });

  it("is our own for a fixed rate, whatever partners quote", () => {
    const rates = marketWith({ changenow: 3_500n }).rates(catalogue);
    expect(codeOf(rates.pairData(request({ rateMode: "FIXED" })))).toBe("treasury");
  });

  it("is what an order is created with, with its provider's name", async () => {
    const rates = marketWith({ changenow: 3_010n }).rates(catalogue);
    const quoted = rates.pairData(request());
    const claim = { price: quoted.price, updatedAt: quoted.updatedAt, claimedAmountToReceive: quoted.amountToGet };
    const pair = { from: "eth", to: "usdt-erc20", rateMode: "FLOATING" } as const;
    const priced = await rates.priceClaim({ ...pair, claimedDepositAmount: 10n ** 18n, claim });
    expect(priced.provider).toBe("changenow");
    const own = await marketWith({})
      .rates(catalogue)
      .priceClaim({ ...pair, claimedDepositAmount: 10n ** 18n, claim });
    expect(own.provider).toBeUndefined();
  });
});

it("partner quotes are part of a stored snapshot", async () => {
  await using database = await freshDatabase();
  const partners = new Map([[offerKey("changenow", "eth", "usdt-erc20"), curveAt(2_990n)]]);
  const at = new Date("2026-11-21T12:00:00.000Z");
  await createPriceSnapshots(database).publish({ at, prices: new Map(), fees: new Map(), partners });
  const read = await createPriceSnapshots(database).at(at);
  expect(read?.partners).toEqual(partners);
});
