import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { playwrightCounts, playwrightFiles, vitestCounts, vitestFiles } from "./test-reports.ts";

const folder = mkdtempSync(join(tmpdir(), "test-reports-"));
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

test("the times of Vitest's files are those between their starts and ends, by their paths", () => {
  const testResults = [{ name: join(folder, "server/a.test.ts"), startTime: 1_000, endTime: 3_500 }];
  expect(vitestFiles(report("times.json", { ...vitest, testResults }), folder)).toEqual([
    { file: "server/a.test.ts", seconds: 2.5 },
  ]);
});

test("the time of a browser test file is the sum of its tests, nested groups and repetitions included", () => {
  const result = (duration: number) => ({ tests: [{ results: [{ duration }] }] });
  const suites = [{ file: "e2e/a.spec.ts", specs: [result(500)], suites: [{ specs: [result(700), result(300)] }] }];
  expect(playwrightFiles(report("e2e-times.json", { suites }))).toEqual([
    { file: "tests/e2e/a.spec.ts", seconds: 1.5 },
  ]);
});
