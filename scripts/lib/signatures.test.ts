import { expect, test } from "vitest";
import { judgeSignatures } from "./signatures.ts";

test.each([
  ["all good", { invalid: [], missing: [] }, false, "every package has a valid signature"],
  ["a package that was changed", { invalid: [{ name: "left-pad" }], missing: [] }, true, "left-pad"],
  ["a package that nobody signed", { invalid: [], missing: [{ name: "left-pad" }] }, true, "left-pad"],
  ["no network", { error: { code: "ENOTFOUND", summary: "getaddrinfo" } }, false, "were NOT checked (ENOTFOUND)"],
  ["a registry without them", { error: { code: "E404", summary: "no keys" } }, false, "were NOT checked (E404)"],
  ["a broken installation", { error: { code: "EUSAGE", summary: "no lock file" } }, true, "no lock file"],
  ["an unknown answer", { fine: true }, true, "can't be read"],
])("%s", (_, report, isBad, text) => {
  const verdict = judgeSignatures(JSON.stringify(report));
  expect(verdict.isBad).toBe(isBad);
  expect(verdict.text).toContain(text);
});

test("what is no JSON is a failure", () => {
  expect(judgeSignatures("npm: not found").isBad).toBe(true);
});
