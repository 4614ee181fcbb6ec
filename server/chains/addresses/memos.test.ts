import { describe, expect, it } from "vitest";
import { memoParserOf } from "./index.ts";

const read = (network: string, text: string) => memoParserOf(network)?.(text);
const taken = (canonical: string) => ({ valid: true, canonical });

describe("a destination tag of XRP", () => {
  it.each([
    ["0", "0"],
    ["12345", "12345"],
    ["0012345", "12345"],
    ["4294967295", "4294967295"],
  ])("reads %s as %s", (text, canonical) => expect(read("XRP", text)).toEqual(taken(canonical)));

  it.each(["", "4294967296", "-1", "1.5", "1e3", "0x10", " 1", "1 ", "abc", "٣", "1".repeat(11)])(
    "refuses %j",
    (text) => expect(read("XRP", text)).toEqual({ valid: false }),
  );
});

describe("a memo of Stellar", () => {
  it.each(["0", "18446744073709551615", "hello", "007", "invoice № 12", "a".repeat(28)])("keeps %j", (text) =>
    expect(read("XLM", text)).toEqual(taken(text)),
  );

  it("reads a hash in either case", () => {
    expect(read("XLM", "AB".repeat(32))).toEqual(taken("ab".repeat(32)));
  });

  it.each(["", "a".repeat(29), "№".repeat(10), "line\nbreak", "12\u202E34", "ab".repeat(31)])("refuses %j", (text) =>
    expect(read("XLM", text)).toEqual({ valid: false }),
  );
});

describe("a comment of TON", () => {
  it.each(["1", "order 7KQ4-M2XD", "привет", "a".repeat(123)])("keeps %j", (text) =>
    expect(read("TON", text)).toEqual(taken(text)),
  );

  it.each(["", "a".repeat(124), "я".repeat(62), "tab\there", "12\u200B34", "a\u2028b"])("refuses %j", (text) =>
    expect(read("TON", text)).toEqual({ valid: false }),
  );
});

it("other networks have no memos", () => {
  for (const network of ["BTC", "ETH", "XMR", "nothing"]) expect(memoParserOf(network)).toBeNull();
});
