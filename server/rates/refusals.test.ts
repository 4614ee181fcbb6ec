import { beforeAll, describe, expect, test } from "vitest";
import { loadCatalogue, type Catalogue } from "../catalogue/index.ts";
import { TestMarket } from "../../tests/support/http/http-app.ts";
import type { RateRequest } from "#contract/rate.ts";
import type { Rates } from "./port.ts";

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await loadCatalogue();
});

const asked = (claimedDepositAmount: string, changes: Partial<RateRequest> = {}): RateRequest => ({
  instrumentFromSlug: "eth",
  instrumentToSlug: "usdt-erc20",
  claimedDepositAmount,
  rateMode: "FLOATING",
  exchangeType: "crypto",
  ...changes,
});
const reasons = (rates: Rates, request: RateRequest, markupBps?: bigint) =>
  rates.refusals(request, markupBps).map(({ error, ...limits }) => ({ code: error.code, ...limits }));
/** One step of the last displayed decimal. */
const beyond = (amount: string, step: bigint): string => {
  const [whole = "", part = ""] = amount.split(".");
  const digits = `${BigInt(whole + part.padEnd(6, "0")) + step}`.padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "");
};

describe("why a rate can't be had", () => {
  test("is nothing where it can", () => {
    const rates = new TestMarket().rates(catalogue);
    expect(rates.refusals(asked("1"))).toEqual([]);
    expect(rates.pairData(asked("1")).amountToGet).not.toBe("0");
  });

  test("is said all at once", () => {
    const market = new TestMarket();
    market.isUp = false;
    const rates = market.rates(catalogue, () => 1n);
    expect(reasons(rates, asked("1000000")).map(({ code }) => code)).toEqual([
      "ERR_PAIR_NOT_ACTIVE",
      "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
      "ERR_NO_LIQUIDITY_AVAILABLE",
    ]);
    expect(() => rates.pairData(asked("1000000"))).toThrow(expect.objectContaining({ code: "ERR_PAIR_NOT_ACTIVE" }));
    market.advance(3_600);
    expect(reasons(market.rates(catalogue), asked("1")).map(({ code }) => code)).toEqual(["ERR_PAIR_NOT_ACTIVE"]);
  });

  for (const markupBps of [0n, 137n, 500n])
    for (const rateMode of ["FLOATING", "FIXED"] as const)
      test(`comes with limits that hold to the last unit in both coins: ${rateMode}, markup ${markupBps}`, () => {
        const rates = new TestMarket().rates(catalogue);
        for (const [amount, code, step] of [
          ["0.000001", "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", -1n],
          ["1000000", "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG", 1n],
        ] as const) {
          const [reason] = reasons(rates, asked(amount, { rateMode }), markupBps);
          expect(reason).toMatchObject({ code });
          const reverse = { rateMode, claimedDepositAmountCurrency: "usdt-erc20" };
          const [source, destination] = [reason?.sourceAmountLimit ?? "", reason?.destinationAmountLimit ?? ""];
          for (const [limit, changes] of [
            [source, { rateMode }],
            [destination, reverse],
          ] as const) {
            expect(rates.refusals(asked(limit, changes), markupBps)).toEqual([]);
            expect(reasons(rates, asked(beyond(limit, step), changes), markupBps)).toMatchObject([{ code }]);
          }
        }
      });

  test("counts a markup as a fee: the customer gets so much less, in both rate modes", () => {
    const rates = new TestMarket().rates(catalogue);
    for (const rateMode of ["FLOATING", "FIXED"] as const) {
      const [without, marked] = [0n, 200n].map((bps) => rates.pairData(asked("1", { rateMode }), bps));
      expect(Number(without?.amountToGet) - Number(marked?.amountToGet)).toBeCloseTo(60, 4);
      expect(Number(marked?.platformFee_Absolute) - Number(without?.platformFee_Absolute)).toBeCloseTo(60, 4);
    }
  });
});
