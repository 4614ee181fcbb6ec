import type { AreaMetric } from "../base/area-metric.ts";
import { readMarkAhead } from "./clock.ts";
import type { Database } from "./database.ts";

/** Whether a wrong clock has moved the exchange's time. */
export const clockMetrics = ({ kysely }: Database): AreaMetric[] => [
  {
    name: "clock_ahead_seconds",
    help: "How far the time that processes have reached is ahead of the database's",
    labelNames: [],
    source: "rows",
    read: async () => {
      const aheadMs = await readMarkAhead(kysely);
      return aheadMs === null ? [] : [{ labels: {}, value: Math.max(0, aheadMs / 1_000) }];
    },
  },
];
