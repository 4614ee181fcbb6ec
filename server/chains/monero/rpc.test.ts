import { expect, it } from "vitest";
import { parseJsonExactly } from "../../base/json.ts";
import { toJson } from "./rpc.ts";

const MOST = 18_446_744_073_709_551_615n;

it("reads and writes the largest amount of Monero exactly", () => {
  const text = `{"amount":${MOST},"amounts":[1,${MOST - 1n}],"share":0.5,"name":"1"}`;
  const value = { amount: MOST, amounts: [1n, MOST - 1n], share: 0.5, name: "1" };
  expect(parseJsonExactly(text, "bigint")).toEqual(value);
  expect(toJson(value)).toBe(text);
});

it("refuses what is no JSON", () => {
  expect(() => parseJsonExactly("<html>", "bigint")).toThrow(SyntaxError);
});
