import { expect, it } from "vitest";
import { mayPrefetch } from "./prefetch.ts";

it.each([
  [undefined, true],
  [{}, true],
  [{ effectiveType: "4g" }, true],
  [{ effectiveType: "4g", saveData: false }, true],
  [{ effectiveType: "4g", saveData: true }, false],
  [{ saveData: true }, false],
  [{ effectiveType: "3g" }, false],
  [{ effectiveType: "2g", saveData: false }, false],
  [{ effectiveType: "slow-2g" }, false],
  [{ effectiveType: "5g" }, true],
])("over %j ahead of need: %s", (connection, expected) => {
  expect(mayPrefetch(connection)).toBe(expected);
});
