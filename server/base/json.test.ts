import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./json.ts";

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
