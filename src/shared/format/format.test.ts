import { describe, expect, it } from "vitest";
import { alignDecimals, formatCrypto, formatRate, formatUsd, groupDigits, formatFee } from "./format.ts";

const thin = (text: string) => text.replaceAll("_", "\u202F");

describe("amounts", () => {
  it.each([
    ["0", "0"],
    ["12", "12"],
    ["1000", "1_000"],
    ["48200.5", "48_200.5"],
    ["1234567.1234567", "1_234_567.1234567"],
    ["-1.8779", "\u22121.8779"],
  ])("groups %s", (decimal, shown) => expect(groupDigits(decimal)).toBe(thin(shown)));

  it.each([
    ["1.50", "1.5"],
    ["1.000000000000000001", "1"],
    ["0.123456789", "0.12345678"],
    ["0.999999999", "0.99999999"],
    ["0.000000001", "<0.00000001"],
    ["0.000000000", "0"],
    [
      "115792089237316195423570985008687907853269984665640564039457.5",
      "115_792_089_237_316_195_423_570_985_008_687_907_853_269_984_665_640_564_039_457.5",
    ],
  ])("cuts %s, never rounds it up", (decimal, shown) => expect(formatCrypto(decimal)).toBe(thin(shown)));

  it("keeps every digit of a sum that must be paid exactly", () => {
    expect(formatCrypto("0.500000000000000001", 18)).toBe("0.500000000000000001");
  });

  it.each([
    ["809", "809.00"],
    ["0.005", "0.01"],
    ["999.995", "1_000.00"],
    ["-0.001", "0.00"],
    ["1620.5", "1_620.50"],
  ])("shows %s dollars with two decimals", (decimal, shown) => expect(formatUsd(decimal)).toBe(`$${thin(shown)}`));

  it("puts the dollar in front, behind a minus", () => {
    expect(formatUsd("809")).toBe("$809.00");
    expect(formatUsd("-2")).toBe("\u2212$2.00");
  });

  it("never shows dollars as none that are some", () => {
    expect(formatUsd("0.0049")).toBe("<$0.01");
    expect(formatUsd("0.0012345")).toBe("<$0.01");
    expect(formatUsd("0.005")).toBe("$0.01");
    expect(formatUsd("0.00")).toBe("$0.00");
  });

  it.each([
    ["0.7473641234", "0.747364"],
    ["0.00001234567", "0.0000123457"],
    ["3031.5649", "3_031.56"],
    ["91919.95", "91_920"],
    ["1234567.8", "1_234_568"],
    ["0.9999999", "1"],
    ["1", "1"],
  ])("gives the rate %s six significant figures", (decimal, shown) => expect(formatRate(decimal)).toBe(thin(shown)));

  it("gives a column one number of decimals", () => {
    expect(alignDecimals(["375.58", "-1.8779", "-0.02", "0"])).toEqual([
      "375.5800",
      "\u22121.8779",
      "\u22120.0200",
      "0.0000",
    ]);
    expect(alignDecimals([])).toEqual([]);
  });
});

it.each([
  ["0.202904", "0.203"],
  ["3.572279", "3.58"],
  ["1.4", "1.4"],
  ["0", "0"],
  ["0.00000012", "0.00000012"],
  ["1234.5", "1\u202f235"],
])("a fee of %s is compared as %s", (fee, text) => expect(formatFee(fee)).toBe(text));
