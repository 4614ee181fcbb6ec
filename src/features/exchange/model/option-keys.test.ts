import { expect, it } from "vitest";
import { optionAfterKey } from "./option-keys.ts";

it.each<[string, number, number, number | null]>([
  ["ArrowDown", -1, 20, 0],
  ["ArrowDown", 0, 20, 1],
  ["ArrowDown", 19, 20, 0],
  ["ArrowUp", -1, 20, 19],
  ["ArrowUp", 0, 20, 19],
  ["ArrowUp", 7, 20, 6],
  ["Home", 7, 20, 0],
  ["End", 7, 20, 19],
  ["PageDown", -1, 20, 8],
  ["PageDown", 2, 20, 10],
  ["PageDown", 18, 20, 19],
  ["PageUp", 18, 20, 10],
  ["PageUp", 3, 20, 0],
  ["PageUp", -1, 20, 0],
  ["ArrowDown", -1, 1, 0],
  ["ArrowDown", 0, 1, 0],
  ["ArrowDown", -1, 0, null],
  ["ArrowLeft", 3, 20, null],
  ["a", 3, 20, null],
])("%s at %d of %d leads to %j", (key, from, count, to) => {
  expect(optionAfterKey(key, from, count)).toBe(to);
});
