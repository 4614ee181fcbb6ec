import { expect, test } from "vitest";
import { printable } from "./printable.ts";

test.each([
  ["lines of text", "payout 1  dust\nнет", "payout 1  dust\nнет"],
  ["an escape that clears the screen", "a\u001B[2Jb", "a\\u{1b}[2Jb"],
  ["a carriage return that overwrites a line", "held\rfine", "held\\u{d}fine"],
  ["a C1 control, which begins an escape too", "a\u009B2J", "a\\u{9b}2J"],
  ["an override of the direction", "0x\u202Edef", "0x\\u{202e}def"],
])("%s", (_, text, printed) => {
  expect(printable(text)).toBe(printed);
});
