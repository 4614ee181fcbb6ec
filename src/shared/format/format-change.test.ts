import { expect, it } from "vitest";
import { formatChange } from "./format-change.ts";

it.each([
  ["1.24", "+1.24%"],
  ["-0.7", "−0.70%"],
  ["3", "+3.00%"],
  ["0", "0.00%"],
  ["1234.5", "+1\u202F234.50%"],
  [null, "—"],
])("%s is shown as %s", (percent, text) => expect(formatChange(percent)).toBe(text));
