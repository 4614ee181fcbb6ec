import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson, parseJsonExactly } from "./json.ts";

describe("parseJson", () => {
  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
        expect(parseJson(JSON.stringify(value, null, indent))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['[{"x":{"b":[],"c":"}","b":1}}]', "b"],
    ['{"":1,"":1}', ""],
    ['{"q\\"":1, "q\\"" : 2}', 'q"'],
  ])("refuses %s", (text, key) => expect(() => parseJson(text)).toThrow(`the key ${JSON.stringify(key)} stands twice`));

  it.each(['{"a":{"a":1},"b":{"a":2}}', '[{"a":1},{"a":1}]', '{"a":"\\"a\\":1,","b":":"}', '{"a":["a","a"]}'])(
    "takes %s, where no key stands twice in one object",
    (text) => expect(parseJson(text)).toEqual(JSON.parse(text)),
  );

  it("reads 64 KB of brackets", () => {
    const text = "[".repeat(32_000) + "]".repeat(32_000);
    expect(Array.isArray(parseJson(text))).toBe(true);
  });
});

describe("parseJsonExactly", () => {
  const text = '{"a":0.10,"b":9007199254740993,"c":7,"d":"8"}';

  it.each([
    ["text", { a: "0.10", b: "9007199254740993", c: "7", d: "8" }],
    ["bigint", { a: 0.1, b: 9_007_199_254_740_993n, c: 7n, d: "8" }],
    ["largeBigint", { a: 0.1, b: 9_007_199_254_740_993n, c: 7, d: "8" }],
  ] as const)("keeps numbers as %s", (numbers, value) => expect(parseJsonExactly(text, numbers)).toEqual(value));
});
