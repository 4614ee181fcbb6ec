import { expect, it } from "vitest";
import { OperatorError } from "./audit.ts";
import { readOperator, readOptions } from "./options.ts";

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

it.each(["ann\u200b", "a\u00adnn", "ann\u3164", "an\nn", "ann\u00a0b"])(
  "takes no name with characters that nobody sees: %j",
  (as) => {
    expect(() => readOperator({ as }, ["why"])).toThrow("nobody sees");
  },
);

it.each(["ann", "Ann Lee", "анна", "o'neil-2"])("takes the name %s", (as) => {
  expect(readOperator({ as }, ["why"]).name).toBe(as);
});
