import { expect, test } from "vitest";
import { formatTable } from "./run-bench.ts";

test("columns line up, and what is over its budget says so", () => {
  const table = formatTable("/ first load", [
    { name: "JS", value: 120_000, unit: "kB", goal: { atMost: 110_000 } },
    { name: "CSS brotli", value: 9_000, unit: "kB", goal: { atMost: 16_000 } },
    { name: "requests", value: 12, unit: "" },
  ]);
  expect(table.split("\n")).toEqual([
    "/ first load",
    "  JS          120.0 kB  ≤ 110.0 kB  OVER",
    "  CSS brotli    9.0 kB   ≤ 16.0 kB  ok",
    "  requests          12",
  ]);
});

test("a heading without figures stands alone", () => {
  expect(formatTable("nothing", [])).toBe("nothing");
});
