import { expect, it } from "vitest";
import { isSameAddress } from "./address.ts";

it.each([
  ["0xAB", "0xab", true],
  [" 0xab ", "0xab", true],
  ["bc1qab", "bc1qab", true],
  ["bc1qab", "BC1QAB", false],
  ["rAb", "rab", false],
  ["0xab", "0xac", false],
])("%j and %j: %s", (one, other, same) => expect(isSameAddress(one, other)).toBe(same));
