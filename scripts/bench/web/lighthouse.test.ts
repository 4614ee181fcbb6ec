import { describe, expect, test } from "vitest";
import { isMissed } from "../figure.ts";
import { readReport, repeated, summarise } from "./lighthouse.ts";

const json = (performance: number, seo: number | null, blocking = 80) => ({
  categories: {
    performance: { score: performance },
    accessibility: { score: 1 },
    "best-practices": { score: 1 },
    seo: { score: seo },
  },
  audits: {
    "first-contentful-paint": { numericValue: 1234.5 },
    "total-blocking-time": { numericValue: blocking },
    "cumulative-layout-shift": { numericValue: 0 },
  },
});

const missed = (reports: unknown[], isIndexed = true) =>
  summarise(reports.map(readReport), isIndexed).flatMap((figure) => (isMissed(figure) ? [figure.name] : []));

test("scores are out of a hundred, and what was not measured is NaN", () => {
  expect(readReport(json(0.99, null))).toMatchObject({
    performance: 99,
    seo: Number.NaN,
    FCP: 1234.5,
    LCP: Number.NaN,
  });
});

describe("a page", () => {
  test("is judged by the median and the worst of its runs", () => {
    expect(missed([json(1, 1), json(0.99, 1), json(0.95, 1)])).toEqual([]);
    expect(missed([json(1, 1), json(0.99, 1), json(0.94, 1)])).toEqual(["performance, worst"]);
    expect(missed([json(0.98, 1), json(0.98, 1), json(1, 1)])).toEqual(["performance, median"]);
    expect(missed([json(1, 1, 101), json(1, 1, 101), json(1, 1, 201)])).toEqual(["TBT, median", "TBT, worst"]);
  });

  test("misses its goal when a run measured nothing, unless search engines may not index it", () => {
    expect(missed([json(1, null), json(1, 1)])).toEqual(["seo, worst"]);
    expect(missed([json(1, null), json(1, 1)], false)).toEqual([]);
  });
});

describe("a run of Lighthouse", () => {
  const lost = () =>
    Promise.reject(new Error("Runtime error encountered: … Please run Lighthouse again. (NO_NAVSTART)"));

  test("that lost its trace is repeated, twice at most", async () => {
    let runs = 0;
    await expect(repeated(() => ((runs += 1), runs < 3 ? lost() : Promise.resolve("report")))).resolves.toBe("report");
    await expect(repeated(lost)).rejects.toThrow("NO_NAVSTART");
  });

  test("that fails in another way is not", async () => {
    let runs = 0;
    const broken = () => ((runs += 1), Promise.reject(new Error("no Chromium")));
    await expect(repeated(broken)).rejects.toThrow("no Chromium");
    expect(runs).toBe(1);
  });
});
