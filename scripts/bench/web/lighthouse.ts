import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as z from "zod";
import { requireChromium } from "../../lib/chromium.ts";
import type { Figure } from "../figure.ts";
import { median } from "../../../server/base/median.ts";

const PACKAGE = "lighthouse@13.5.0";
const CHROME_FLAGS =
  "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const TIMEOUT_MS = 180_000;
const REPORT_BYTES = 64_000_000;
/** Lighthouse sometimes loses the trace of a load, and asks for another run. */
const REPEAT_MESSAGE = "Please run Lighthouse again";
const MAX_ATTEMPTS = 3;

const PERFORMANCE_MEDIAN = 99;
const PERFORMANCE_WORST = 95;
const BLOCKING_MEDIAN_MS = 100;
const BLOCKING_WORST_MS = 200;
/** The machine is idle enough for a verdict while a page of nothing but React blocks for less. */
const BARE_BLOCKING_MS = 50;

const SCORES = ["performance", "accessibility", "best-practices", "seo"] as const;
const TIMES = {
  FCP: "first-contentful-paint",
  LCP: "largest-contentful-paint",
  TBT: "total-blocking-time",
  CLS: "cumulative-layout-shift",
} as const;

type Report = Record<(typeof SCORES)[number] | keyof typeof TIMES, number>;

export type AuditedPage = {
  readonly name: string;
  readonly url: string;
  /** Whether search engines may index it: the SEO score means nothing elsewhere. */
  readonly isIndexed: boolean;
};

const reportSchema = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(z.string(), z.object({ numericValue: z.number().optional() })),
});

/**
 * Lighthouse's mobile audit of every page, `runs` times, each round beside a page of nothing but hydrated React: both meet the same
 * machine in the same minutes. `npx` downloads Lighthouse when it is missing.
 */
export async function auditPages(
  pages: readonly AuditedPage[],
  barePageUrl: string,
  runs: number,
): Promise<{ readonly heading: string; readonly figures: Figure[] }[]> {
  const reports = new Map<string, Report[]>();
  const urls = [...pages.map(({ url }) => url), barePageUrl];
  for (let round = 0; round < runs; round += 1)
    for (const url of urls) {
      const report = readReport(await repeated(() => runLighthouse(url)));
      reports.set(url, [...(reports.get(url) ?? []), report]);
    }
  const reportsOf = (url: string) => reports.get(url) ?? [];
  return [
    ...pages.map(({ name, url, isIndexed }) => ({
      heading: `${name}: Lighthouse mobile, ${runs} runs`,
      figures: summarise(reportsOf(url), isIndexed),
    })),
    {
      heading: `a page of nothing but hydrated React, in the same minutes, ${runs} runs`,
      figures: summariseBarePage(reportsOf(barePageUrl)),
    },
  ];
}

/**
 * Repeats a run when Lighthouse asks for it.
 *
 * @internal Exported for its tests.
 */
export async function repeated<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isRepeatable = error instanceof Error && error.message.includes(REPEAT_MESSAGE);
      if (!isRepeatable || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function runLighthouse(url: string): Promise<unknown> {
  const args = ["--yes", PACKAGE, url, "--quiet", "--output=json", `--chrome-flags=${CHROME_FLAGS}`];
  const { stdout } = await promisify(execFile)("npx", args, {
    env: { ...process.env, CHROME_PATH: requireChromium() },
    timeout: TIMEOUT_MS,
    maxBuffer: REPORT_BYTES,
  });
  return JSON.parse(stdout);
}

/**
 * Scores out of a hundred, times in milliseconds; NaN for what a run could not measure.
 *
 * @internal Exported for its tests.
 */
export function readReport(json: unknown): Report {
  const { categories, audits } = reportSchema.parse(json);
  const scores = SCORES.map((name) => [name, (categories[name]?.score ?? Number.NaN) * 100]);
  const times = Object.entries(TIMES).map(([name, audit]) => [name, audits[audit]?.numericValue ?? Number.NaN]);
  return Object.fromEntries([...scores, ...times]) as Report;
}

/**
 * Median and worst of the runs beside their goals; NaN, which misses every goal, when a run measured nothing.
 *
 * @internal Exported for its tests.
 */
export function summarise(reports: readonly Report[], isIndexed: boolean): Figure[] {
  const values = (name: keyof Report) => reports.map((report) => report[name]);
  const lowest = (name: keyof Report) => Math.min(...values(name));
  const highest = (name: keyof Report) => Math.max(...values(name));
  const full = SCORES.filter((name) => name !== "performance" && (isIndexed || name !== "seo"));
  return [
    {
      name: "performance, median",
      value: middle(values("performance")),
      unit: "",
      goal: { atLeast: PERFORMANCE_MEDIAN },
    },
    { name: "performance, worst", value: lowest("performance"), unit: "", goal: { atLeast: PERFORMANCE_WORST } },
    ...full.map((name): Figure => ({ name: `${name}, worst`, value: lowest(name), unit: "", goal: { atLeast: 100 } })),
    { name: "FCP, median", value: middle(values("FCP")), unit: "ms" },
    { name: "LCP, median", value: middle(values("LCP")), unit: "ms" },
    { name: "TBT, median", value: middle(values("TBT")), unit: "ms", goal: { atMost: BLOCKING_MEDIAN_MS } },
    { name: "TBT, worst", value: highest("TBT"), unit: "ms", goal: { atMost: BLOCKING_WORST_MS } },
    { name: "CLS, worst", value: highest("CLS"), unit: "shift", goal: { atMost: 0 } },
  ];
}

function summariseBarePage(reports: readonly Report[]): Figure[] {
  const blocking = reports.map(({ TBT }) => TBT);
  return [
    { name: "TBT, median", value: middle(blocking), unit: "ms" },
    {
      name: "TBT, worst (above it the machine is too busy)",
      value: Math.max(...blocking),
      unit: "ms",
      goal: { atMost: BARE_BLOCKING_MS },
    },
  ];
}

const middle = (values: readonly number[]): number => (values.some(Number.isNaN) ? Number.NaN : median(values));
