import { expect, it } from "vitest";
import { retryPauseSeconds } from "./retry-pause.ts";

it("doubles each time, up to an hour", () => {
  expect([1, 2, 3, 11, 20, 5_000].map((attempts) => retryPauseSeconds(attempts, () => 1))).toEqual([
    5, 10, 20, 3_600, 3_600, 3_600,
  ]);
});

it("is spread over its second half", () => {
  expect([1, 3].map((attempts) => retryPauseSeconds(attempts, () => 0))).toEqual([2.5, 10]);
});
