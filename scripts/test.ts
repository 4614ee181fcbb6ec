import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM } from "./lib/chromium.ts";
import {
  EXAMPLE_PROGRAMS,
  LITECOIND,
  MONEROD,
  MONERO_WALLET,
  POSTGRES,
  REDIS,
  requirePrograms,
} from "./lib/programs.ts";
import { root, runNode } from "./lib/run.ts";
import {
  type Counts,
  type FileTime,
  playwrightCounts,
  playwrightFiles,
  vitestCounts,
  vitestFiles,
} from "./lib/test-reports.ts";

type Step = {
  name: string;
  args: string[];
  env?: Record<string, string>;
  counts?: () => Counts;
  files?: () => FileTime[];
};
type Result = { name: string; seconds: number; counts: Counts; files: FileTime[] };

const SLOWEST_FILES = 10;
/** What Node compiled stays for its next process: of the 10 s of a processor that a server's start takes, 1.7 are for that. */
const COMPILED = join(root, "node_modules/.cache/node");
const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };
const reports = mkdtempSync(join(tmpdir(), "wherry-test-"));
const program = (path: string) => join(root, "node_modules", path);

const vitest = (name: string, ...projects: string[]): Step => {
  const report = join(reports, `${name}.json`);
  const named = projects.flatMap((project) => ["--project", project]);
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = [program("vitest/vitest.mjs"), "run", ...named, ...output];
  return { name, args, counts: () => vitestCounts(report), files: () => vitestFiles(report, root) };
};

const format: Step = { name: "format", args: [program("oxfmt/bin/oxfmt"), "--check", "."] };
const lint: Step = { name: "lint", args: [program("oxlint/bin/oxlint"), "--deny-warnings"] };
const types: Step = { name: "types", args: ["scripts/check-types.ts"] };
const secrets: Step = {
  name: "secrets",
  args: [program("secretlint/bin/secretlint.js"), "--secretlintignore", ".gitignore", "**/*", ".*", ".ci/*"],
};
const unused: Step = { name: "unused", args: [program("knip/bin/knip.js")] };
const testOnly: Step = { name: "test-only", args: [program("knip/bin/knip.js"), "--production"] };
const build: Step = { name: "build", args: ["scripts/build.ts"] };
const sizes: Step = { name: "sizes", args: ["scripts/check-sizes.ts"] };
const e2eReport = join(reports, "e2e.json");
const e2e: Step = {
  name: "e2e",
  args: ["scripts/e2e.ts"],
  env: { E2E_REPORT: e2eReport },
  counts: () => playwrightCounts(e2eReport),
  files: () => playwrightFiles(e2eReport),
};

const pure = vitest("unit", "unit", "modules");
/** Stages run one after another; the steps of a stage run at the same time. */
const FAST: Step[][] = [
  [format, lint, types, secrets],
  [{ ...pure, args: [...pure.args, "--exclude", "**/*.integration.test.ts"] }],
];
const EVERYTHING: Step[][] = [
  [format, lint, types, secrets, unused, testOnly],
  [build],
  [sizes],
  [vitest("unit", "unit", "modules", "dom", "dom-modules", "integration")],
  // In one run, so that the files of one tier fill the waits of another.
  [vitest("system", "simulation", "faults", "crashes", "chains")],
  [e2e],
];

const isFast = process.argv.includes("--fast");
process.exitCode = await main(isFast ? FAST : EVERYTHING);

async function main(stages: Step[][]): Promise<number> {
  const results: Result[] = [];
  try {
    if (!isFast) requirePrograms([CHROMIUM, LITECOIND, MONEROD, MONERO_WALLET, POSTGRES, REDIS, ...EXAMPLE_PROGRAMS]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    results.push({ name: "programs", seconds: 0, counts: { ...NOTHING, failed: 1 }, files: [] });
    return finish(results, stages);
  }
  for (const stage of stages) {
    const isTogether = stage.length > 1;
    results.push(...(await Promise.all(stage.map((step) => run(step, isTogether)))));
    if (results.some(({ counts }) => counts.failed > 0)) break;
  }
  return finish(results, stages);
}

async function run(step: Step, isTogether: boolean): Promise<Result> {
  if (!isTogether) console.log(`\n── ${step.name}`);
  const startedAt = performance.now();
  const code = await runNode(step.args, { env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...step.env } });
  const counts = judge(step, code);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`── ${step.name}: ${counts.failed > 0 ? "failed" : "ok"} in ${seconds.toFixed(1)} s`);
  return { name: step.name, seconds, counts, files: step.files?.() ?? [] };
}

/** A program that fails without a failing test (a crash, a lint error) counts as one failure, and so does a skipped test in CI. */
function judge(step: Step, code: number): Counts {
  const counts = step.counts?.() ?? NOTHING;
  const skippedInCi = process.env["CI"] === "true" ? counts.skipped : 0;
  const failed = counts.failed + skippedInCi;
  return { ...counts, failed: code === 0 ? failed : Math.max(failed, 1) };
}

function finish(results: Result[], stages: Step[][]): number {
  rmSync(reports, { recursive: true, force: true });
  const sum = (key: keyof Counts) => results.reduce((total, { counts }) => total + counts[key], 0);
  const ran = new Set(results.map(({ name }) => name));
  const notRun = stages.flat().filter(({ name }) => !ran.has(name));
  console.log("\n── slowest files");
  const files = results.flatMap((result) => result.files);
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  console.log("\n── summary");
  for (const { name, seconds, counts } of results) {
    const tests = counts.passed + counts.failed > 0 ? `${counts.passed} passed, ${counts.failed} failed` : "ok";
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    console.log(`${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${tests}${skipped}`);
  }
  if (notRun.length > 0) console.log(`not run: ${notRun.map(({ name }) => name).join(", ")}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") > 0 ? 1 : 0;
}
