import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import * as z from "zod";

export type Counts = { passed: number; failed: number; skipped: number };
export type FileTime = { file: string; seconds: number };

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numFailedTestSuites: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
});
const vitestTimes = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
});
const spec = z.object({
  tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
});
const suite = z.object({
  specs: z.array(spec).default([]),
  get suites() {
    return z.array(suite).default([]);
  },
});
const playwrightTimes = z.object({ suites: z.array(suite.extend({ file: z.string() })) });

/** Reads Vitest's JSON report. One that was never written counts as a failure: the tests did not come to their end. */
export function vitestCounts(path: string): Counts {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const report = vitestReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return {
    passed: report.numPassedTests,
    // A file that can't be loaded fails as a suite without a single test.
    failed: report.numFailedTests > 0 ? report.numFailedTests : Math.min(report.numFailedTestSuites, 1),
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Reads Playwright's JSON report; a flaky test is a failed one. */
export function playwrightCounts(path: string): Counts {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const { stats } = playwrightReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

/** How long each test file of Vitest's JSON report took, its imports and hooks included; paths are relative to `top`. */
export function vitestFiles(path: string, top: string): FileTime[] {
  if (!existsSync(path)) return [];
  const { testResults } = vitestTimes.parse(JSON.parse(readFileSync(path, "utf8")));
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(top, name),
    seconds: (endTime - startTime) / 1000,
  }));
}

/** How long the tests of each file of Playwright's JSON report took, added up over the workers. */
export function playwrightFiles(path: string): FileTime[] {
  if (!existsSync(path)) return [];
  const { suites } = playwrightTimes.parse(JSON.parse(readFileSync(path, "utf8")));
  return suites.map((top) => ({ file: `tests/${top.file}`, seconds: durationOf(top) / 1000 }));
}

function durationOf({ specs, suites }: z.infer<typeof suite>): number {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  const own = results.reduce((sum, { duration }) => sum + duration, 0);
  return suites.reduce((sum, inner) => sum + durationOf(inner), own);
}
