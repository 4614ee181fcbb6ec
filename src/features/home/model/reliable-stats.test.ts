import { describe, expect, it } from "vitest";
import { reliableStats } from "./reliable-stats.ts";

const STATS = { ordersTotal: 900, orders24h: 20, medianSeconds: 360, completedShare: 0.75, coins: 9, networks: 7 };

describe("statistics of the last day", () => {
  it.each([
    [null, null, null],
    [0, null, null],
    [3, null, null],
    [19, null, null],
    [20, 360, 0.75],
    [1_284, 360, 0.75],
  ])("of %s completed orders have the median %s and the share %s", (orders24h, medianSeconds, completedShare) => {
    expect(reliableStats({ ...STATS, orders24h })).toMatchObject({ medianSeconds, completedShare });
  });

  it("leave what doesn't depend on them", () => {
    expect(reliableStats({ ...STATS, orders24h: 3 })).toEqual({
      ...STATS,
      orders24h: null,
      medianSeconds: null,
      completedShare: null,
    });
  });
});
