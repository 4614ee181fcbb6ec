import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as z from "zod";
import { requireChromium } from "../lib/chromium.ts";
import type { Figure } from "./figure.ts";

const PACKAGE = "lighthouse@13.5.0";
const CHROME_FLAGS =
  "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const ENDS_WITHIN_MS = 180_000;
const REPORT_BYTES = 64_000_000;

/** How a slow phone is played: worked out from a quick load, or applied to the load itself. */
export const THROTTLING = ["simulate", "devtools"] as const;
export type Throttling = (typeof THROTTLING)[number];

const GOALS = { performance: 99, accessibility: 100, "best-practices": 100, seo: 100 } as const;

const reportSchema = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(z.string(), z.object({ numericValue: z.number().optional() })),
});

/** The mobile scores of one page, each beside its goal, and its times; `npx` gets Lighthouse when it is not there yet. */
export async function lighthouse(url: string, throttling: Throttling): Promise<Figure[]> {
  const args = ["--yes", PACKAGE, url, "--quiet", "--output=json", `--throttling-method=${throttling}`];
  const { stdout } = await promisify(execFile)("npx", [...args, `--chrome-flags=${CHROME_FLAGS}`], {
    env: { ...process.env, CHROME_PATH: requireChromium() },
    timeout: ENDS_WITHIN_MS,
    maxBuffer: REPORT_BYTES,
  });
  return readReport(JSON.parse(stdout));
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
  ];
}
