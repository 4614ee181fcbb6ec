import { expect, it } from "vitest";
import { firstLetter } from "./first-letter.ts";

it.each([
  ["Elin", "E"],
  ["🦊 Fox", "🦊"],
  ["שלום", "ש"],
  ["", ""],
])("of %j is %j, which UTF-8 can say", (text, letter) => {
  expect(firstLetter(text)).toBe(letter);
  expect(firstLetter(text).isWellFormed()).toBe(true);
});
