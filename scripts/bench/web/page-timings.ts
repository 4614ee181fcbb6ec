import * as z from "zod";

/** What a browser measured of one page load: times in milliseconds since its start, layout shifts as CLS adds them up. */
export type PageTimings = { fcp: number; lcp: number; tbt: number; cls: number };

const LONG_TASK_MS = 50;

/** Runs in the page before its own scripts. */
export const OBSERVE_TIMINGS = `
  window.benchEntries = { fcp: null, lcp: null, longTasks: [], shifts: [] };
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe("paint", (entry) => {
    if (entry.name === "first-contentful-paint") benchEntries.fcp = entry.startTime;
  });
  observe("largest-contentful-paint", (entry) => { benchEntries.lcp = entry.startTime; });
  observe("longtask", (entry) => benchEntries.longTasks.push({ at: entry.startTime, ms: entry.duration }));
  observe("layout-shift", (entry) => {
    if (!entry.hadRecentInput) benchEntries.shifts.push({ at: entry.startTime, value: entry.value });
  });
`;
export const READ_TIMINGS = "window.benchEntries";

const entriesSchema = z.object({
  fcp: z.number().nullable(),
  lcp: z.number().nullable(),
  longTasks: z.array(z.object({ at: z.number(), ms: z.number() })),
  shifts: z.array(z.object({ at: z.number(), value: z.number() })),
});

/** Reads what OBSERVE_TIMINGS has gathered; NaN where the browser saw no paint. */
export function readTimings(given: unknown): PageTimings {
  const { fcp, lcp, longTasks, shifts } = entriesSchema.parse(given);
  const blocking = longTasks
    .filter(({ at, ms }) => at + ms > (fcp ?? 0))
    .reduce((total, { ms }) => total + Math.max(0, ms - LONG_TASK_MS), 0);
  return { fcp: fcp ?? Number.NaN, lcp: lcp ?? Number.NaN, tbt: blocking, cls: worstWindow(shifts) };
}

const WINDOW_GAP_MS = 1_000;
const WINDOW_MS = 5_000;

/** CLS: the worst session window, with gaps under a second and no longer than five. */
function worstWindow(shifts: readonly { at: number; value: number }[]): number {
  let [worst, sum, startedAt, lastAt] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at, value } of shifts) {
    const goesOn = at - lastAt < WINDOW_GAP_MS && at - startedAt < WINDOW_MS;
    sum = goesOn ? sum + value : value;
    if (!goesOn) startedAt = at;
    lastAt = at;
    worst = Math.max(worst, sum);
  }
  return worst;
}
