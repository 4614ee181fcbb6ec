import { describe, expect, test } from "vitest";
import { isMissed } from "./figure.ts";
import { attempted, medians, readReport } from "./lighthouse.ts";

const report = {
  categories: {
    performance: { score: 0.99 },
    accessibility: { score: 0.97 },
    "best-practices": { score: 1 },
    seo: { score: null },
  },
  audits: {
    "first-contentful-paint": { numericValue: 1234.5 },
    "largest-contentful-paint": {},
    "cumulative-layout-shift": { numericValue: 0.001 },
  },
};

test("scores are of a hundred, and a category that failed to run misses its goal", () => {
  const figures = readReport(report);
  expect(figures.map(({ value }) => value)).toEqual([99, 97, 100, Number.NaN, 1234.5, Number.NaN, Number.NaN, 0.001]);
  expect(figures.filter(isMissed).map(({ name }) => name)).toEqual(["accessibility", "seo", "CLS"]);
});

test("a page is judged by the middle of its runs, and never by fewer runs than there were", () => {
  const run = (performance: number, seo: number | null) =>
    readReport({
      categories: { performance: { score: performance }, seo: { score: seo } },
      audits: {},
    });
  const figures = medians([run(0.99, null), run(0.2, 1), run(1, 1)]);
  expect(figures.find(({ name }) => name === "performance")?.value).toBe(99);
  expect(figures.find(({ name }) => name === "seo")?.value).toBeNaN();
});

describe("a run of Lighthouse", () => {
  const lost = () =>
    Promise.reject(new Error("Runtime error encountered: … Please run Lighthouse again. (NO_NAVSTART)"));

  test("that lost its trace is repeated, twice at most", async () => {
    let runs = 0;
    await expect(attempted(() => ((runs += 1), runs < 3 ? lost() : Promise.resolve("report")))).resolves.toBe("report");
    await expect(attempted(lost)).rejects.toThrow("NO_NAVSTART");
  });

  test("that fails in another way is not", async () => {
    let runs = 0;
    const broken = () => ((runs += 1), Promise.reject(new Error("no Chromium")));
    await expect(attempted(broken)).rejects.toThrow("no Chromium");
    expect(runs).toBe(1);
  });
});
