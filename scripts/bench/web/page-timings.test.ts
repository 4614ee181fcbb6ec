import { expect, test } from "vitest";
import { readTimings } from "./page-timings.ts";

const entries = { fcp: 600, lcp: 900, longTasks: [], shifts: [] };

test("only what blocks beyond 50 ms after the first paint counts", () => {
  const longTasks = [
    { at: 100, ms: 400 },
    { at: 700, ms: 80 },
    { at: 900, ms: 51 },
  ];
  expect(readTimings({ ...entries, longTasks })).toMatchObject({ fcp: 600, lcp: 900, tbt: 31 });
});

test("layout shifts add up within a window, and the worst window counts", () => {
  const shifts = [
    { at: 0, value: 0.01 },
    { at: 900, value: 0.02 },
    { at: 3_000, value: 0.025 },
  ];
  expect(readTimings({ ...entries, shifts }).cls).toBeCloseTo(0.03);
});

test("a page that painted nothing has no times, and an answer of another shape is an error", () => {
  expect(readTimings({ ...entries, fcp: null, lcp: null })).toMatchObject({ fcp: Number.NaN, lcp: Number.NaN });
  expect(() => readTimings(undefined)).toThrow();
});
