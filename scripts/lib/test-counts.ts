import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";

export type Counts = { passed: number; failed: number; skipped: number };

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numFailedTestSuites: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
});

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
