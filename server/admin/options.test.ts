import { expect, it } from "vitest";
import { OperatorError } from "./audit.ts";
import { readOptions } from "./options.ts";

it.each([
  ["freeze propose ETH eth hot missing -1 why --as ann", "no option -1"],
  ["archive --older-than -5 why --as ann", "--older-than needs a value"],
  ["payout refund 1 why --as ann --addr 0x52", "no option --addr"],
  ["payout refund 1 why --as", "--as needs a value"],
  ["freeze propose ETH eth hot missing 1 why --unmeasured=yes", "--unmeasured takes no value"],
])("%s: %s", (given, said) => {
  const read = () => readOptions(given.split(" "), ["as", "older-than", "unmeasured"]);
  expect(read).toThrow(OperatorError);
  expect(read).toThrow(said);
  expect(read).not.toThrow(/positional|ambiguous|forget/i);
});
