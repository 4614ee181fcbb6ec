import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalSchema } from "./fields.ts";
import {
  addDecimals,
  compareDecimals,
  decimalDistance,
  decimalPlaces,
  divideDecimals,
  divideDown,
  divideUp,
  formatAmount,
  isDecimal,
  maxOf,
  minOf,
  minorUnits,
  multiplyDecimals,
  parseAmount,
  percentOf,
  powerOfTen,
  ratio,
  readExternalDecimal,
  roundDecimal,
} from "./money.ts";

const HOSTILE = [
  "-1",
  "-0",
  "+1",
  "1e-7",
  "1e400",
  "NaN",
  "Infinity",
  "0x10",
  "",
  " 5 ",
  "5\n",
  "1,5",
  "1.2.3",
  ".5",
  "5.",
  "00.1",
  "01",
  "٣",
  "１",
  "1_000",
  "1 000",
  "1\u202F000",
  `1${"0".repeat(400)}`,
  `0.${"1".repeat(400)}`,
];

describe("a hostile amount", () => {
  it.each(HOSTILE)("%j is not an amount", (text) => {
    expect(parseAmount(text, 18)).toBeNull();
    expect(decimalSchema.safeParse(text).success).toBe(false);
    expect(isDecimal(text)).toBe(false);
    expect(() => minorUnits(text, 18)).toThrow(RangeError);
  });

  it.each([1, 0.1, 2 ** 53, NaN, true, false, null, undefined, [1], ["1"], { a: 1 }, 1n])(
    "%p is not a wire decimal, only a string is",
    (value) => {
      expect(decimalSchema.safeParse(value).success).toBe(false);
    },
  );

  it("with more decimals than the asset has is refused, never rounded", () => {
    expect(parseAmount(`0.1${"0".repeat(17)}`, 18)).toBe(100000000000000000n);
    expect(parseAmount(`0.1${"0".repeat(18)}`, 18)).toBeNull();
    expect(parseAmount("1.0000001", 6)).toBeNull();
    expect(parseAmount("1.0", 0)).toBeNull();
  });
});

describe("parseAmount", () => {
  it.each([
    ["0", 18, 0n],
    ["0.0", 6, 0n],
    ["1", 0, 1n],
    ["1", 18, 1000000000000000000n],
    ["0.0125", 8, 1250000n],
    ["12.4", 6, 12400000n],
    ["9007199254740993", 0, 9007199254740993n],
    ["9007199254740993.000000000000000001", 18, 9007199254740993000000000000000001n],
  ])("%s with %i decimals is %s", (text, decimals, minor) => {
    expect(parseAmount(text, decimals)).toBe(minor);
  });
});

describe("formatAmount", () => {
  it.each([
    [0n, 18, "0"],
    [1n, 18, "0.000000000000000001"],
    [1250000n, 8, "0.0125"],
    [100000000n, 8, "1"],
    [120000000n, 8, "1.2"],
    [5n, 0, "5"],
    [-5n, 1, "-0.5"],
    [-1000000n, 6, "-1"],
    [10n ** 30n, 6, "1000000000000000000000000"],
  ])("%s with %i decimals is %s", (minor, decimals, text) => {
    expect(formatAmount(minor, decimals)).toBe(text);
  });

  it("is what parseAmount reads back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 30 }), (minor, decimals) => {
        const text = formatAmount(minor, decimals);
        expect(decimalSchema.safeParse(text).success).toBe(true);
        expect(parseAmount(text, decimals)).toBe(minor);
      }),
    );
  });
});

describe("division of money", () => {
  it.each([
    [0n, 3n, 0n, 0n],
    [1n, 3n, 0n, 1n],
    [3n, 3n, 1n, 1n],
    [10n, 3n, 3n, 4n],
  ])("%s / %s is %s paid and %s asked", (dividend, divisor, down, up) => {
    expect(divideDown(dividend, divisor)).toBe(down);
    expect(divideUp(dividend, divisor)).toBe(up);
  });
});

describe("ratio", () => {
  it.each([
    [1n, 3n, 6, "0.333333"],
    [2n, 3n, 6, "0.666666"],
    [1n, 1000n, 6, "0.001"],
    [1n, 3000n, 6, "0.000333333"],
    [999999n, 1000000n, 3, "0.999"],
    [3n, 1n, 6, "3"],
    [10n, 3n, 6, "3.33333"],
    [123456789n, 1000n, 6, "123456"],
    [0n, 7n, 6, "0"],
    [1n, powerOfTen(18), 12, "0.000000000000000001"],
  ])("%s / %s to %i figures is %s, cut off and never rounded up", (numerator, denominator, significant, text) => {
    expect(ratio(numerator, denominator, significant)).toBe(text);
  });

  it("keeps 12 figures where nothing is said", () => {
    expect(ratio(1n, 7n)).toBe("0.142857142857");
    expect(ratio(10n ** 12n + 1n, 10n ** 12n)).toBe("1");
  });

  it("never cuts whole digits, however many there are", () => {
    expect(ratio(123456789012345678n, 1n, 6)).toBe("123456789012345678");
  });

  it("has no answer for a denominator of nothing or a negative part", () => {
    expect(() => ratio(1n, 0n)).toThrow(RangeError);
    expect(() => ratio(1n, -1n)).toThrow(RangeError);
    expect(() => ratio(-1n, 1n)).toThrow(RangeError);
  });

  it("is never above the true value and at most one unit of its last figure below", () => {
    const part = fc.bigInt({ min: 1n, max: 10n ** 30n });
    fc.assert(
      fc.property(part, part, fc.integer({ min: 1, max: 20 }), (numerator, denominator, significant) => {
        const [whole = "", fraction = ""] = ratio(numerator, denominator, significant).split(".");
        const scale = powerOfTen(fraction.length);
        const rounded = BigInt(whole + fraction);
        expect(rounded * denominator <= numerator * scale).toBe(true);
        const leading = (whole + fraction).replace(/^0+/, "").length;
        const missing = powerOfTen(Math.max(0, significant - leading));
        expect((rounded * missing + 1n) * denominator > numerator * scale * missing).toBe(true);
      }),
    );
  });
});

describe("arithmetic of decimals", () => {
  it("compares by value, not by text", () => {
    expect(compareDecimals("10", "9.99")).toBe(1);
    expect(compareDecimals("0.50", "0.5")).toBe(0);
    expect(compareDecimals("0.1", "0.10000000000000000000000000000000000001")).toBe(-1);
  });

  it("keeps what a number would lose", () => {
    expect(addDecimals("0.1", "0.2")).toBe("0.3");
    expect(addDecimals()).toBe("0");
    expect(addDecimals("9007199254740993", "0.000000000000000001")).toBe("9007199254740993.000000000000000001");
    expect(multiplyDecimals("0.000000000000000001", "3000.25")).toBe("0.00000000000000300025");
    expect(divideDecimals("1", "8")).toBe("0.125");
    expect(divideDecimals("2", "0.3", 4)).toBe("6.6666");
    expect(divideDecimals("1", "0")).toBeNull();
  });

  it.each([
    ["1.239", 2, "1.23", "1.24", "1.24"],
    ["1.231", 2, "1.23", "1.24", "1.23"],
    ["1.235", 2, "1.23", "1.24", "1.24"],
    ["1.23", 2, "1.23", "1.23", "1.23"],
    ["9.99", 0, "9", "10", "10"],
    ["1.50", 4, "1.5", "1.5", "1.5"],
  ])("rounds %s to %i decimals: %s down, %s up, %s half up", (decimal, decimals, down, up, halfUp) => {
    expect(roundDecimal(decimal, decimals, "down")).toBe(down);
    expect(roundDecimal(decimal, decimals, "up")).toBe(up);
    expect(roundDecimal(decimal, decimals, "half-up")).toBe(halfUp);
  });

  it.each([
    ["1", "1.5", "0.5"],
    ["1.5", "1", "0.5"],
    ["2", "2.00", "0"],
  ])("%s and %s are %s apart", (a, b, distance) => expect(decimalDistance(a, b)).toBe(distance));

  it.each([
    ["1", "200", "0.5"],
    ["1", "3", "33.33"],
    ["2", "3", "66.67"],
    ["0", "3", "0"],
    ["1", "0", null],
  ])("%s of %s is %s percent", (part, whole, percent) => expect(percentOf(part, whole)).toBe(percent));

  it("counts the decimals that are written", () => {
    expect(decimalPlaces("1.230")).toBe(3);
    expect(decimalPlaces("1")).toBe(0);
  });

  it("refuses what is no plain decimal", () => {
    for (const text of ["1e3", "-1", "", ".5"]) expect(() => addDecimals(text)).toThrow(RangeError);
  });
});

describe("the smallest and the largest amount", () => {
  const WEI = 10n ** 30n;

  it.each([
    [[7n], 7n, 7n],
    [[0n, -1n], -1n, 0n],
    [[WEI + 1n, WEI, WEI + 2n], WEI, WEI + 2n],
    [[5n, 5n], 5n, 5n],
  ])("of %s are %s and %s", ([first = 0n, ...others], least, greatest) => {
    expect(minOf(first, ...others)).toBe(least);
    expect(maxOf(first, ...others)).toBe(greatest);
  });
});

describe("another party's decimal", () => {
  it.each([
    ["0.1", 18, 100000000000000000n, 100000000000000000n],
    ["1e-7", 6, 0n, 1n],
    ["1.5E2", 0, 150n, 150n],
    ["1.23456", 2, 123n, 124n],
    ["007", 0, 7n, 7n],
    ["-1", 2, null, null],
    ["1,5", 2, null, null],
    ["", 2, null, null],
  ])("%j in 10^-%i is %s down and %s up", (text, decimals, down, up) => {
    expect(readExternalDecimal(text, decimals)).toBe(down);
    expect(readExternalDecimal(text, decimals, "up")).toBe(up);
  });
});
