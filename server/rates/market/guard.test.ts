import { describe, expect, it } from "vitest";
import { createPriceGuard, isWithin, checkValue } from "./guard.ts";

const USD = 10n ** 18n;
const MINUTE = 60_000;

describe("a price by itself", () => {
  it.each([
    [0n, "zero"],
    [-1n, "zero"],
    [1n, "absurd"],
    [10n ** 27n, "absurd"],
    [USD / 1_000_000n, "good"],
    [100_000n * USD, "good"],
  ])("%s is %s", (usd, verdict) => {
    expect(checkValue(usd)).toBe(verdict);
  });
});

describe("a price after another", () => {
  it("may change by a tenth between two readings, up or down", () => {
    const guard = createPriceGuard();
    expect(guard.judge("eth", 3000n * USD, 0)).toBe("good");
    expect(guard.judge("eth", 3300n * USD, 1_000)).toBe("good");
    expect(guard.judge("eth", 3000n * USD, 2_000)).toBe("good");
  });

  it("is rejected when it jumps, and accepted again when it returns", () => {
    const guard = createPriceGuard();
    guard.judge("eth", 3000n * USD, 0);
    expect(guard.judge("eth", 3400n * USD, 1_000)).toBe("jump");
    expect(guard.judge("eth", 3001n * USD, 2_000)).toBe("good");
    expect(guard.judge("btc", 9n * USD, 2_000)).toBe("good");
  });

  it("is accepted at a new level after a minute", () => {
    const guard = createPriceGuard();
    guard.judge("eth", 3000n * USD, 0);
    expect(guard.judge("eth", 2000n * USD, 1_000)).toBe("jump");
    expect(guard.judge("eth", 2010n * USD, 1_000 + MINUTE - 1)).toBe("jump");
    expect(guard.judge("eth", 2005n * USD, 1_000 + MINUTE)).toBe("good");
    expect(guard.judge("eth", 3000n * USD, 2_000 + MINUTE)).toBe("jump");
  });

  it("restarts its minute with every further jump, and with a zero in between", () => {
    const guard = createPriceGuard();
    guard.judge("eth", 3000n * USD, 0);
    guard.judge("eth", 2000n * USD, 0);
    expect(guard.judge("eth", 1000n * USD, MINUTE)).toBe("jump");
    expect(guard.judge("eth", 0n, MINUTE + 1)).toBe("zero");
    expect(guard.judge("eth", 1000n * USD, 2 * MINUTE)).toBe("jump");
    expect(guard.judge("eth", 1000n * USD, 3 * MINUTE)).toBe("good");
  });

  it("is compared with the accepted prices from before a restart", () => {
    const guard = createPriceGuard();
    guard.remember("eth", 3000n * USD);
    expect(guard.judge("eth", 30n * USD, 0)).toBe("jump");
  });
});

describe("tolerance", () => {
  it("is measured on the smaller one, whichever comes first", () => {
    expect(isWithin(100n, 102n, 200n)).toBe(true);
    expect(isWithin(102n, 100n, 200n)).toBe(true);
    expect(isWithin(10_000n, 10_201n, 200n)).toBe(false);
    expect(isWithin(0n, 1n, 200n)).toBe(false);
  });
});
