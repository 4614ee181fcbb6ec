import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as z from "zod";
import { requireChromium } from "../lib/chromium.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";

const PACKAGE = "lighthouse@13.5.0";
const CHROME_FLAGS =
  "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const ENDS_WITHIN_MS = 180_000;
const REPORT_BYTES = 64_000_000;
/** Lighthouse now and then loses the trace of a load, and says so itself. */
const ASKS_FOR_ANOTHER = "Please run Lighthouse again";
const MOST_ATTEMPTS = 3;

export const RUNS = 3;

const GOALS = { performance: 99, accessibility: 100, "best-practices": 100, seo: 100 } as const;

const reportSchema = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(z.string(), z.object({ numericValue: z.number().optional() })),
});

type Page = {
  url: string;
  /** Search engines may keep it; its score for them means nothing where they may not. */
  isIndexed: boolean;
};

/**
 * The mobile scores of one page, each beside its goal, and its times: medians of a few runs, throttled by Lighthouse's own model
 * of a slow phone. `npx` gets Lighthouse when it is not there yet. On a busy machine the blocking time comes out too high.
 */
export async function lighthouse({ url, isIndexed }: Page): Promise<Figure[]> {
  const runs: Figure[][] = [];
  for (let made = 0; made < RUNS; made += 1) runs.push(readReport(await attempted(() => report(url))));
  return medians(runs).filter(({ name }) => isIndexed || name !== "seo");
}

/** What a run gives; one that Lighthouse itself asks to repeat is repeated. */
export async function attempted<Report>(run: () => Promise<Report>): Promise<Report> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isLost = error instanceof Error && error.message.includes(ASKS_FOR_ANOTHER);
      if (!isLost || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function report(url: string): Promise<unknown> {
  const args = ["--yes", PACKAGE, url, "--quiet", "--output=json", `--chrome-flags=${CHROME_FLAGS}`];
  const { stdout } = await promisify(execFile)("npx", args, {
    env: { ...process.env, CHROME_PATH: requireChromium() },
    timeout: ENDS_WITHIN_MS,
    maxBuffer: REPORT_BYTES,
  });
  return JSON.parse(stdout);
}

/** Figure by figure; one that a run could not measure stays without a number, and so misses its goal. */
export function medians(runs: readonly (readonly Figure[])[]): Figure[] {
  return (runs[0] ?? []).map((figure, index) => {
    const values = runs.map((run) => run[index]?.value ?? Number.NaN);
    return { ...figure, value: values.some(Number.isNaN) ? Number.NaN : median(values) };
  });
}

export function readReport(given: unknown): Figure[] {
  const { categories, audits } = reportSchema.parse(given);
  const scores = Object.entries(GOALS).map(([name, goal]): Figure => {
    const score = categories[name]?.score ?? null;
    return { name, value: score === null ? Number.NaN : score * 100, unit: "", goal: { atLeast: goal } };
  });
  const times = { FCP: "first-contentful-paint", LCP: "largest-contentful-paint", TBT: "total-blocking-time" };
  return [
    ...scores,
    ...Object.entries(times).map(([name, audit]): Figure => ({
      name,
      value: audits[audit]?.numericValue ?? Number.NaN,
      unit: "ms",
    })),
    {
      name: "CLS",
      value: audits["cumulative-layout-shift"]?.numericValue ?? Number.NaN,
      unit: "shift",
      goal: { atMost: 0 },
    },
  ];
}
