import { expect, test } from "vitest";
import { isMissed } from "./figure.ts";
import { readReport } from "./lighthouse.ts";

const report = {
  categories: {
    performance: { score: 0.99 },
    accessibility: { score: 0.97 },
    "best-practices": { score: 1 },
    seo: { score: null },
  },
  audits: { "first-contentful-paint": { numericValue: 1234.5 }, "largest-contentful-paint": {} },
};

test("scores are of a hundred, and a category that failed to run misses its goal", () => {
  const figures = readReport(report);
  expect(figures.map(({ value }) => value)).toEqual([99, 97, 100, Number.NaN, 1234.5, Number.NaN, Number.NaN]);
  expect(figures.filter(isMissed).map(({ name }) => name)).toEqual(["accessibility", "seo"]);
});
