import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainOf } from "./chain-params.ts";
import { selectCoins, type Coin } from "./coin-selection.ts";
import { sizeOf } from "./fees.ts";

const chain = chainOf("LTC", "regtest");
const coin = (amount: bigint, vout = 0): Coin => ({ txId: "a".repeat(64), vout, amount });
const wanted = { feeRate: 10n, toScript: 22, changeScript: 22 };
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

describe("choosing coins", () => {
  it("takes the smallest that is enough by itself", () => {
    const free = [coin(5_000_000n, 0), coin(1_100_000n, 1), coin(900_000n, 2)];
    expect(selectCoins(chain, free, { ...wanted, amount: 1_000_000n })?.inputs).toEqual([free[1]]);
  });

  it("takes the largest together where none is enough", () => {
    const free = [coin(400_000n, 0), coin(600_000n, 1), coin(700_000n, 2)];
    expect(selectCoins(chain, free, { ...wanted, amount: 1_200_000n })?.inputs).toEqual([free[2], free[1]]);
  });

  it("returns null when all of them are not enough for amount and fee", () => {
    expect(selectCoins(chain, [coin(1_000_000n)], { ...wanted, amount: 1_000_000n })).toBeNull();
    expect(selectCoins(chain, [], { ...wanted, amount: 1n })).toBeNull();
  });

  it("skips coins that cost more than they are worth", () => {
    const dust = Array.from({ length: 50 }, (_, at) => coin(600n, at + 1));
    const selected = selectCoins(chain, [...dust, coin(9_000_000n)], { ...wanted, amount: 1_000_000n });
    expect(selected?.inputs).toEqual([coin(9_000_000n)]);
    expect(selected?.change).toHaveLength(2);
  });

  it("leaves change that is not worth a coin to the miner", () => {
    const fee = 10n * sizeOf(chain, 1, [22]);
    const selected = selectCoins(chain, [coin(1_000_000n + fee + chain.dust)], { ...wanted, amount: 1_000_000n });
    expect(selected).toMatchObject({ change: [], fee: fee + chain.dust });
  });

  it("splits change while there are few coins, so that several payments can be pending", () => {
    const few = selectCoins(chain, [coin(9_000_000n)], { ...wanted, amount: 1_000_000n });
    expect(few?.change).toHaveLength(2);
    const many = Array.from({ length: 30 }, (_, at) => coin(9_000_000n, at));
    expect(selectCoins(chain, many, { ...wanted, amount: 1_000_000n })?.change).toHaveLength(1);
  });

  it("splits it also beside many small coins that somebody has sent", () => {
    const small = Array.from({ length: 30 }, (_, at) => coin(5_400n, at + 1));
    const selected = selectCoins(chain, [...small, coin(9_000_000n)], { ...wanted, amount: 1_000_000n });
    expect(selected?.change).toHaveLength(2);
  });

  it("never creates or loses a unit, and always pays the fee rate", () => {
    const amounts = fc.array(fc.bigInt(0n, 10_000_000n), { maxLength: 40 });
    fc.assert(
      fc.property(amounts, fc.bigInt(6_000n, 50_000_000n), fc.bigInt(1n, 500n), (held, amount, feeRate) => {
        const free = held.map((one, at) => coin(one, at));
        const selected = selectCoins(chain, free, { ...wanted, feeRate, amount });
        if (selected === null) return;
        const { inputs, change, fee } = selected;
        expect(sum(inputs.map((one) => one.amount))).toBe(amount + sum(change) + fee);
        expect(new Set(inputs.map(({ vout }) => vout)).size).toBe(inputs.length);
        const least = feeRate * sizeOf(chain, inputs.length, [22, ...change.map(() => 22)]);
        expect(fee).toBeGreaterThanOrEqual(least);
        for (const one of change) expect(one).toBeGreaterThanOrEqual(chain.dust / 2n);
      }),
      { numRuns: 2_000 },
    );
  });
});
