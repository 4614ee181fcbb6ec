import { describe, expect, it } from "vitest";
import { canonicalAmount, cleanAmount, cleanField, pasteInto } from "./amount-input.ts";

describe("cleanAmount", () => {
  it.each([
    ["", ""],
    ["500", "500"],
    ["1 234,5", "1234.5"],
    ["1\u202f234\u00a0567", "1234567"],
    ["0,5", "0.5"],
    ["-12", "12"],
    ["1e5", "15"],
    ["$12.40", "12.40"],
    ["00", "0."],
    ["000", "0.0"],
    ["005", "0.5"],
    ["0", "0"],
    ["05", "05"],
    [".", "0."],
    [".5", "0.5"],
    [",5", "0.5"],
    ["..5", "0.5"],
    ["1.2.3", "1.23"],
    ["1,234.5", "1.2345"],
    ["00.5", "0.5"],
    ["abc", ""],
    ["٣", ""],
  ])("%j becomes %j", (typed, cleaned) => {
    expect(cleanAmount(typed)).toBe(cleaned);
  });

  it("leaves a cleaned amount as it is", () => {
    for (const typed of ["1 234,5", "00", "..5", "1.2.3", "005"])
      expect(cleanAmount(cleanAmount(typed))).toBe(cleanAmount(typed));
  });
});

describe("cleanField", () => {
  it.each([
    ["12x3", 3, "123", 2],
    ["1 234", 5, "1234", 4],
    [".5", 1, "0.5", 2],
    ["1.2.3", 4, "1.23", 3],
    ["00", 2, "0.", 2],
    ["1x", 2, "1", 1],
  ])("%j with the caret at %d becomes %j with the caret at %d", (text, caret, cleaned, kept) => {
    expect(cleanField({ text, caret })).toEqual({ text: cleaned, caret: kept });
  });
});

describe("a pasted amount", () => {
  it.each([
    ["1,234.5", "1234.5"],
    ["1.234,5", "1234.5"],
    ["1,234,567.89", "1234567.89"],
    ["1.234.567,89", "1234567.89"],
    ["1 234,5", "1234.5"],
    ["1,234", "1.234"],
    ["0.5 ETH", "0.5"],
    ["$1,000.00", "1000.00"],
  ])("%j is read as %j", (pasted, read) => {
    expect(pasteInto({ text: "", selectionStart: 0, selectionEnd: 0 }, pasted).text).toBe(read);
  });
});

describe("pasteInto", () => {
  it("replaces the selection and leaves the caret behind what was pasted", () => {
    expect(pasteInto({ text: "500", selectionStart: 0, selectionEnd: 3 }, "1,234.5")).toEqual({
      text: "1234.5",
      caret: 6,
    });
    expect(pasteInto({ text: "52", selectionStart: 1, selectionEnd: 1 }, "1")).toEqual({ text: "512", caret: 2 });
  });
});

describe("canonicalAmount", () => {
  it.each([
    ["500", 18, "500"],
    ["0.50", 18, "0.5"],
    ["05", 18, "5"],
    ["0.", 18, ""],
    ["0", 18, ""],
    ["", 18, ""],
    ["1.1234567", 6, "1.123456"],
    ["0.0000001", 6, ""],
    ["10", 0, "10"],
    ["10.9", 0, "10"],
  ])("%j with %d decimals is %j", (typed, decimals, amount) => {
    expect(canonicalAmount(typed, decimals)).toBe(amount);
  });
});
