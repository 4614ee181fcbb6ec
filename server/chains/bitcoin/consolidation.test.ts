import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FeesOverCapError, NotEnoughFundsError } from "../port.ts";
import { chainOf } from "./chain-params.ts";
import { keyOf, MAX_INPUTS, selectCoins, type Coin } from "./coin-selection.ts";
import { selectAll } from "./consolidation.ts";
import { sizeOf } from "./fees.ts";

const LTC = chainOf("LTC", "regtest");
const BTC = chainOf("BTC", "regtest");
const DOGE = chainOf("DOGE", "regtest");
const SCRIPT = 22;
const ID = "a".repeat(64);
const coin = (amount: bigint, vout = 0, txId = ID): Coin => ({ txId, vout, amount });
type Consolidation = NonNullable<ReturnType<typeof selectAll>>;
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const total = (coins: readonly Coin[]) => sum(coins.map(({ amount }) => amount));
const select = (chain: typeof BTC, old: readonly Coin[], feeRate: bigint, newer: readonly Coin[] = []) =>
  selectAll(chain, { old, newer }, { feeRate, script: SCRIPT });

/** Moves everything, one payment to ourselves after the other, as the engine does; an error where it waits. */
function moveAll(
  chain: typeof BTC,
  coins: readonly Coin[],
  feeRate: bigint,
): { moved: Consolidation[]; error: unknown } {
  const moved: Consolidation[] = [];
  let [old, newer]: Coin[][] = [[...coins], []];
  for (;;) {
    try {
      const next = select(chain, old ?? [], feeRate, newer);
      if (next === null) return { moved, error: null };
      moved.push(next);
      const spent = new Set(next.inputs.map(keyOf));
      const outputs = [next.amount, ...next.change];
      old = old?.filter((one) => !spent.has(keyOf(one)));
      newer = [
        ...(newer ?? []).filter((one) => !spent.has(keyOf(one))),
        ...outputs.map((amount, vout) => coin(amount, vout, `${moved.length}`.padStart(64, "0"))),
      ];
    } catch (error) {
      return { moved, error };
    }
  }
}

describe("moving all coins to ourselves", () => {
  it("spends every coin that is worth it, and keeps what comes back apart", () => {
    const coins = [coin(100n * LTC.dust, 0), coin(9_000_000_000n, 1), coin(600n, 2)];
    const selected = select(LTC, coins, 10n);
    expect(selected?.inputs).toEqual([coins[1], coins[0]]);
    expect(selected?.change).toHaveLength(9);
    expect((selected?.amount ?? 0n) + sum(selected?.change ?? []) + (selected?.fee ?? 0n)).toBe(
      9_000_000_000n + 100n * LTC.dust,
    );
    const scripts = Array.from({ length: 10 }, () => SCRIPT);
    expect(selected?.fee).toBe(10n * sizeOf(LTC, 2, scripts));
  });

  it("takes the most valuable ones where they are too many", () => {
    const coins = Array.from({ length: MAX_INPUTS + 1 }, (_, vout) => coin(1_000_000n + BigInt(vout), vout));
    expect(select(LTC, coins, 10n)?.inputs).toEqual(coins.slice(1).toReversed());
  });

  it("leaves what nobody can be paid with, whatever the fee", () => {
    expect(select(LTC, [coin(700n)], 10n)).toBeNull();
    expect(select(LTC, [], 10n)).toBeNull();
    // A coin below the cost of its input at the lowest fee was never worth spending.
    const worthless = Array.from({ length: 500 }, (_, vout) => coin(68n, vout));
    expect(select(BTC, worthless, 1n)).toBeNull();
  });

  it("moves coins that cost more than they are worth now, in as many payments as it takes", () => {
    const small = Array.from({ length: 200 }, (_, at) => coin(13_000n, at + 1));
    const { moved, error } = moveAll(BTC, [coin(50_000_000n), ...small], 200n);
    expect(error).toBeNull();
    const spent = new Set(moved.flatMap(({ inputs }) => inputs.map(keyOf)));
    expect(small.filter((one) => !spent.has(keyOf(one)))).toEqual([]);
    expect(moved).toHaveLength(2);
    // A newer coin pays for the one that is left.
    expect(moved[1]?.inputs).toHaveLength(2);
  });

  it("waits for lower fees where moving small coins would lose more than a hundredth of what is there", () => {
    const small = Array.from({ length: 100 }, (_, at) => coin(1_000n, at + 1));
    const coins = [coin(50_000_000n), ...small];
    expect(select(BTC, coins, 200n)?.inputs).toEqual([coins[0]]);
    expect(() => select(BTC, small, 200n, [coin(49_990_000n)])).toThrow(FeesOverCapError);
    expect(select(BTC, small, 50n, [coin(49_990_000n)])?.inputs).toHaveLength(101);
  });

  it("waits where nothing can pay for the move", () => {
    const small = Array.from({ length: 3 }, (_, at) => coin(13_700n, at + 1));
    expect(() => select(BTC, small, 200n)).toThrow(NotEnoughFundsError);
    expect(select(BTC, small, 200n, [coin(30_000n, 9), coin(100_000_000n, 10)])?.inputs[0]).toEqual(coin(30_000n, 9));
  });

  it("spends a coin of whatever was signed before, for any fee and from any of the coins", () => {
    const largest = { BTC: 40_000n, LTC: 400_000n, DOGE: 40_000_000n };
    let [signed, ended] = [0, 0];
    for (const chain of [BTC, LTC, DOGE]) {
      const { floor, cap } = chain.fees;
      const small = fc.bigInt(1n, largest[chain.networkTitle as keyof typeof largest]);
      const amounts = fc.array(fc.oneof({ arbitrary: small, weight: 9 }, fc.bigInt(1n, 10n ** 10n)), {
        minLength: 1,
        maxLength: 300,
        size: "max",
      });
      const payment = fc.record({
        feeRate: fc.oneof(fc.constant(floor), fc.bigInt(floor, cap)),
        amount: fc.oneof(fc.constant(chain.dust), fc.bigInt(chain.dust, 100n * chain.dust)),
        toScript: fc.constantFrom(22, 23, 25, 34),
        free: fc.array(fc.boolean(), { minLength: 300, maxLength: 300 }),
      });
      fc.assert(
        fc.property(amounts, payment, fc.bigInt(floor, cap), (held, { free, ...wanted }, feeRate) => {
          const coins = held.map((amount, vout) => coin(amount, vout));
          const before = selectCoins(
            chain,
            coins.filter((_, at) => free[at]),
            { ...wanted, changeScript: SCRIPT },
          );
          const { moved, error } = moveAll(chain, coins, feeRate);
          for (const { inputs, change, fee, amount } of moved) expect(total(inputs)).toBe(fee + amount + sum(change));
          const lost = sum(moved.flatMap(({ inputs }) => inputs.map(({ amount }) => lossOf(chain, amount, feeRate))));
          expect(lost).toBeLessThanOrEqual(total(coins) / 100n);
          if (before === null) return;
          signed += 1;
          // Nothing is signed while it waits.
          if (error !== null) return;
          ended += 1;
          const spent = new Set(moved.flatMap(({ inputs }) => inputs.map(keyOf)));
          expect(before.inputs.some((one) => spent.has(keyOf(one)))).toBe(true);
        }),
        { numRuns: 300 },
      );
    }
    expect(signed).toBeGreaterThan(300);
    expect(ended).toBeGreaterThan(signed / 4);
  });
});

function lossOf(chain: typeof BTC, amount: bigint, feeRate: bigint): bigint {
  const cost = feeRate * (sizeOf(chain, 2, []) - sizeOf(chain, 1, []));
  return cost > amount ? cost - amount : 0n;
}
