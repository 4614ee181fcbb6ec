import { describe, expect, it } from "vitest";
import {
  addDecimals,
  compareDecimals,
  cutDecimals,
  decimalsOf,
  divideDecimals,
  multiplyDecimals,
  raiseDecimals,
} from "./decimal.ts";

describe("decimals", () => {
  it("compares by value, not by text", () => {
    expect(compareDecimals("10", "9.99")).toBe(1);
    expect(compareDecimals("0.50", "0.5")).toBe(0);
    expect(compareDecimals("0.1", "0.10000000000000000000000000000000000001")).toBe(-1);
  });

  it("keeps what a number would lose", () => {
    expect(addDecimals("0.1", "0.2")).toBe("0.3");
    expect(addDecimals("9007199254740993", "0.000000000000000001")).toBe("9007199254740993.000000000000000001");
    expect(multiplyDecimals("0.000000000000000001", "3000.25")).toBe("0.00000000000000300025");
    expect(divideDecimals("1", "8")).toBe("0.125");
    expect(divideDecimals("1", "0")).toBeNull();
  });

  it("cuts what arrives and raises what is charged", () => {
    expect(cutDecimals("1.239", 2)).toBe("1.23");
    expect(raiseDecimals("1.231", 2)).toBe("1.24");
    expect(raiseDecimals("1.23", 2)).toBe("1.23");
    expect(decimalsOf("1.230")).toBe(3);
    expect(decimalsOf("1")).toBe(0);
  });

  it("refuses what is not a wire decimal", () => {
    expect(() => addDecimals("1e3")).toThrow(RangeError);
  });
});
