import { expect, test } from "vitest";
import { dayChart } from "./day-chart.ts";

const days = (...earned: string[]) => earned.map((sum, n) => ({ date: `2026-11-${10 + n}`, earned: sum }));

test.each([
  [
    ["9.84", "0", "1.5"],
    ["10", "5", "0"],
    [98.4, 0, 15],
  ],
  [
    ["3", "4"],
    ["4", "2", "0"],
    [75, 100],
  ],
  [["0.000001"], ["0.000001", "0.0000005", "0"], [100]],
  [
    ["1040.5", "2000"],
    ["2000", "1000", "0"],
    [52.02, 100],
  ],
  [["11"], ["12", "6", "0"], [91.66]],
  [
    ["0.85", "0.7"],
    ["1", "0.5", "0"],
    [85, 70],
  ],
])("%j are drawn under %j as high as %j %%", (earned, marks, heights) => {
  const chart = dayChart(days(...earned));
  expect(chart.marks).toEqual(marks);
  expect(chart.bars.map(({ height }) => height)).toEqual(heights);
});

test("days that earned nothing have no figures beside their lines", () => {
  expect(dayChart(days("0", "0.00"))).toEqual({
    bars: days("0", "0.00").map((day) => ({ day, height: 0 })),
    marks: [],
  });
  expect(dayChart([])).toEqual({ bars: [], marks: [] });
});
