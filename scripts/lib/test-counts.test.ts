import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { playwrightCounts, vitestCounts } from "./test-counts.ts";

const folder = mkdtempSync(join(tmpdir(), "test-counts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const report = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};

const vitest = { numPassedTests: 7, numFailedTests: 0, numFailedTestSuites: 0, numPendingTests: 0, numTodoTests: 0 };

test("a report that was never written is a failure, not silence", () => {
  expect(vitestCounts(join(folder, "none.json"))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(playwrightCounts(join(folder, "none.json"))).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("skipped and planned tests are counted as skipped", () => {
  const path = report("skipped.json", { ...vitest, numPendingTests: 2, numTodoTests: 1 });
  expect(vitestCounts(path)).toEqual({ passed: 7, failed: 0, skipped: 3 });
});

test("a file that can't be loaded fails though no test of it did", () => {
  const path = report("unloadable.json", { ...vitest, numFailedTestSuites: 1 });
  expect(vitestCounts(path)).toEqual({ passed: 7, failed: 1, skipped: 0 });
});

test("failing tests are counted once, not again with the groups around them", () => {
  const path = report("failing.json", { ...vitest, numFailedTests: 2, numFailedTestSuites: 4 });
  expect(vitestCounts(path)).toEqual({ passed: 7, failed: 2, skipped: 0 });
});

test("a browser test that passes only when repeated has failed", () => {
  const path = report("flaky.json", { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 } });
  expect(playwrightCounts(path)).toEqual({ passed: 5, failed: 2, skipped: 2 });
});
