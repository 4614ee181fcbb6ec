import { expect, it } from "vitest";
import { asksOnlyItself, ranNothing } from "./to-ourselves.ts";

const SELF = "0x7777777777777777777777777777777777777777";
const TOKEN = "0x8888888888888888888888888888888888888888";
const plain = { to: SELF, type: "0x2", input: "0x" };

it.each(["0x0", "0x1", "0x2"])("a plain move of the coin to its own account by type %s pays nobody", (type) => {
  expect(asksOnlyItself({ ...plain, type }, SELF)).toBe(true);
});

it.each([
  ["another account", { ...plain, to: TOKEN }],
  ["a contract that it makes", { ...plain, to: null }],
  ["itself with data, which code of the account may run", { ...plain, input: "0x01" }],
  ["a token's own transfer to itself", { ...plain, to: TOKEN, input: "0xa9059cbb" }],
  ["itself with an authorisation of code", { ...plain, type: "0x4" }],
  ["itself with blobs", { ...plain, type: "0x3" }],
  ["itself by a type that nobody knows yet", { ...plain, type: "0x5" }],
  ["itself, as a node shows it that names no type", { to: SELF, input: "0x" }],
  ["itself, as a node shows it that hides its data", { to: SELF, type: "0x2" }],
])("a call of %s may pay somebody", (_, call) => {
  expect(asksOnlyItself(call, SELF)).toBe(false);
});

it("a plain transfer that used more gas than one has run code", () => {
  expect(ranNothing({ gasUsed: 21_000n })).toBe(true);
  expect(ranNothing({ gasUsed: 21_001n })).toBe(false);
});
