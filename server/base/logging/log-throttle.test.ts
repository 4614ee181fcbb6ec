import { expect, it } from "vitest";
import { createLogThrottle } from "./log-throttle.ts";

it("says each thing once in an interval, and forgets what has passed", () => {
  let now = 0;
  const isDue = createLogThrottle(1_000, () => now);
  expect([isDue("a"), isDue("a"), isDue("b"), isDue("b")]).toEqual([true, false, true, false]);
  now = 999;
  expect(isDue("a")).toBe(false);
  now = 1_000;
  expect([isDue("a"), isDue("a"), isDue("b")]).toEqual([true, false, true]);
});
