import { expect, it } from "vitest";
import { isAllowedAddress } from "./allowed-addresses.ts";

it.each([
  ["::ffff:1.2.3.4/24", "1.2.3.9", true],
  ["::ffff:1.2.3.4/24", "8.8.8.8", false],
  ["::ffff:0102:0304/64", "1.2.3.4", true],
  ["::ffff:0102:0304/64", "1.2.3.5", false],
  ["::ffff:1.2.3.4/120", "1.2.3.9", true],
  ["::ffff:1.2.3.4/120", "1.2.4.9", false],
])("a list with %s, as it was stored once, has %s: %s", (list, address, expected) => {
  expect(isAllowedAddress(list, address)).toBe(expected);
});
