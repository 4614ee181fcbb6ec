import { expect, it } from "vitest";
import { chartSeries } from "./chart-series.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 12, minutes)).toISOString();
const NOON = Date.UTC(2026, 10, 21, 12) / 1_000;

it("a chart has a gap where minutes are missing, and none where all are there", () => {
  const points: [string, string][] = [
    [at(0), "1.5"],
    [at(1), "2"],
    [at(5), "3"],
  ];
  expect(chartSeries({ range: "24h", points })).toEqual([
    { time: NOON, price: "1.5", value: 1.5 },
    { time: NOON + 60, price: "2", value: 2 },
    { time: NOON + 120 },
    { time: NOON + 300, price: "3", value: 3 },
  ]);
  expect(chartSeries({ range: "7d", points })).toHaveLength(3);
  expect(chartSeries({ range: "all", points: [] })).toEqual([]);
});
