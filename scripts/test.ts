import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM } from "./lib/chromium.ts";
import { LITECOIND, MONEROD, MONERO_WALLET, REDIS, requirePrograms } from "./lib/programs.ts";
import { root, runNode } from "./lib/run.ts";
import { playwrightCounts, vitestCounts, type Counts } from "./lib/test-counts.ts";

type Step = { name: string; args: string[]; env?: Record<string, string>; counts?: () => Counts };
type Outcome = { name: string; seconds: number; counts: Counts };

const reports = mkdtempSync(join(tmpdir(), "wherry-test-"));
const program = (path: string) => join(root, "node_modules", path);
const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

const vitest = (name: string, ...projects: string[]): Step => {
  const report = join(reports, `${name}.json`);
  const named = projects.flatMap((project) => ["--project", project]);
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return { name, args: [program("vitest/vitest.mjs"), "run", ...named, ...output], counts: () => vitestCounts(report) };
};

const e2eReport = join(reports, "e2e.json");
const steps: Step[] = [
  { name: "format", args: [program("oxfmt/bin/oxfmt"), "--check", "."] },
  { name: "lint", args: [program("oxlint/bin/oxlint"), "--deny-warnings"] },
  { name: "types", args: ["scripts/check-types.ts"] },
  { name: "unused", args: [program("knip/bin/knip.js")] },
  vitest("unit", "node", "dom"),
  { name: "build", args: ["scripts/build.ts"] },
  { name: "sizes", args: ["scripts/check-sizes.ts"] },
  vitest("simulate", "simulation"),
  vitest("faults", "faults"),
  vitest("chains", "chains"),
  {
    name: "e2e",
    args: ["scripts/e2e.ts"],
    env: { E2E_REPORT: e2eReport },
    counts: () => playwrightCounts(e2eReport),
  },
];

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    requirePrograms([CHROMIUM, LITECOIND, MONEROD, MONERO_WALLET, REDIS]);
  } catch (error) {
    return finish([{ name: "programs", seconds: 0, counts: failedOnce(error) }]);
  }
  const outcomes: Outcome[] = [];
  for (const step of steps) {
    const outcome = await run(step);
    outcomes.push(outcome);
    if (outcome.counts.failed > 0) break;
  }
  return finish(outcomes);
}

async function run(step: Step): Promise<Outcome> {
  console.log(`\n── ${step.name}`);
  const startedAt = performance.now();
  const code = await runNode(step.args, { env: { ...process.env, ...step.env } });
  const counts = judge(step, code);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`── ${step.name}: ${counts.failed > 0 ? "failed" : "ok"} in ${seconds.toFixed(1)} s`);
  return { name: step.name, seconds, counts };
}

/** A program that fails without a failing test (a crash, a lint error) counts as one failure, and so does a skipped test in CI. */
function judge(step: Step, code: number): Counts {
  const counts = step.counts?.() ?? NOTHING;
  const skippedInCi = process.env["CI"] === "true" ? counts.skipped : 0;
  const failed = counts.failed + skippedInCi;
  return { ...counts, failed: code === 0 ? failed : Math.max(failed, 1) };
}

function failedOnce(error: unknown): Counts {
  console.error(error instanceof Error ? error.message : error);
  return { ...NOTHING, failed: 1 };
}

function finish(outcomes: Outcome[]): number {
  rmSync(reports, { recursive: true, force: true });
  const sum = (key: keyof Counts) => outcomes.reduce((total, { counts }) => total + counts[key], 0);
  const notRun = steps.slice(outcomes.length).map(({ name }) => name);
  console.log("\n── summary");
  for (const { name, seconds, counts } of outcomes) {
    const tests = counts.passed + counts.failed > 0 ? `${counts.passed} passed, ${counts.failed} failed` : "ok";
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    console.log(`${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${tests}${skipped}`);
  }
  if (notRun.length > 0) console.log(`not run: ${notRun.join(", ")}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") > 0 ? 1 : 0;
}
