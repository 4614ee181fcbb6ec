import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainOf } from "../chain-params.ts";
import { sizeOf } from "../fees.ts";
import { isWorthReplacing, outbid, type Auction, type Fixed } from "./replacement-fee.ts";

const chain = chainOf("LTC", "regtest");
const SCRIPT = 22;
const sizeWith = (parts: number) => sizeOf(chain, 1, [SCRIPT, ...Array.from({ length: parts }, () => SCRIPT)]);
const NOTHING = { fee: 0n, size: 0n };
const fixed = (coins: bigint, amount: bigint, changes: number): Fixed => ({
  inputs: [{ txId: "a".repeat(64), vout: 0, amount: coins }],
  amount,
  changes,
  toScript: SCRIPT,
  changeScript: SCRIPT,
});
const SIZE = sizeWith(1);
const auction = (perByte: bigint, changes: Partial<Auction> = {}): Auction => ({
  stuck: [{ fee: 10n * SIZE, size: SIZE }],
  waiting: { own: { fee: 10n * SIZE, size: SIZE }, parents: NOTHING, children: NOTHING },
  marketRate: perByte,
  incrementalRate: 1n,
  ...changes,
});
const waiting = (changes: Partial<NonNullable<Auction["waiting"]>>): Partial<Auction> => ({
  waiting: { own: { fee: 10n * SIZE, size: SIZE }, parents: NOTHING, children: NOTHING, ...changes },
});

describe("a replacement", () => {
  it("is worth it from a tenth above what any attempt pays", () => {
    expect(isWorthReplacing(auction(10n))).toBe(false);
    expect(isWorthReplacing(auction(11n))).toBe(true);
    const raised = [...auction(1n).stuck, { fee: 20n * SIZE, size: SIZE }];
    expect(isWorthReplacing(auction(20n, { stuck: raised }))).toBe(false);
    expect(isWorthReplacing(auction(22n, { stuck: raised, waiting: null }))).toBe(true);
  });

  it("is worth nothing once what its recipient spends of it pays for both", () => {
    expect(isWorthReplacing(auction(20n, waiting({ children: { fee: 40n * 200n, size: 200n } })))).toBe(false);
  });

  it("pays for what it spends in the mempool too", () => {
    const parents = { fee: 0n, size: 100n };
    expect(isWorthReplacing(auction(10n, waiting({ parents })))).toBe(true);
    expect(outbid(chain, fixed(9_000_000n, 1_000_000n, 1), auction(10n, waiting({ parents })))?.fee).toBe(
      10n * (SIZE + 100n),
    );
  });

  it("never pays for what its recipient has attached to it", () => {
    const children = { fee: 1_000_000n, size: 90_000n };
    expect(outbid(chain, fixed(9_000_000n, 1_000_000n, 1), auction(20n, waiting({ children })))).toBeNull();
  });

  it("drops the second change output, then all change, and fails where that isn't enough", () => {
    const withChange = (change: bigint, parts: number) =>
      outbid(chain, fixed(1_000_000n + 10n * sizeWith(parts) + change, 1_000_000n, parts), auction(20n));
    expect(withChange(40_000n, 2)?.change).toHaveLength(2);
    expect(withChange(12_000n, 2)?.change).toHaveLength(1);
    expect(withChange(5_000n, 1)?.change).toEqual([]);
    expect(withChange(0n, 0)).toBeNull();
  });

  it("creates and loses no unit, and outbids every attempt by what nodes ask for", () => {
    const rates = fc.bigInt(1n, 2_000n);
    fc.assert(
      fc.property(
        rates,
        rates,
        fc.integer({ min: 0, max: 2 }),
        fc.bigInt(0n, 9_000_000n),
        (old, now, changes, rest) => {
          const size = sizeWith(changes);
          const paid = { fee: old * size, size };
          const asked = auction(now, { stuck: [paid], waiting: { own: paid, parents: NOTHING, children: NOTHING } });
          const coins = fixed(1_000_000n + paid.fee + rest, 1_000_000n, changes);
          const found = outbid(chain, coins, asked);
          if (found === null) return;
          const change = found.change.reduce((sum, one) => sum + one, 0n);
          expect(found.inputs).toEqual(coins.inputs);
          expect(1_000_000n + change + found.fee).toBe(1_000_000n + paid.fee + rest);
          const newSize = sizeWith(found.change.length);
          expect(found.fee).toBeGreaterThanOrEqual(paid.fee + newSize);
          expect(found.fee).toBeGreaterThanOrEqual(now * newSize);
          for (const one of found.change) expect(one).toBeGreaterThanOrEqual(chain.dust);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
