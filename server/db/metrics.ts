import { sql } from "kysely";
import type { AreaMetric } from "../base/area-metric.ts";
import { readMarkAhead } from "./clock.ts";
import type { Database } from "./database.ts";
import { HELD_AFTER_FAILURES } from "./job-failures.ts";

/** Jobs that fail again and again. */
export const jobMetrics = ({ kysely }: Database): AreaMetric[] => [
  {
    name: "jobs_failing",
    help: "Jobs that have failed so often in a row that an operator is told, by queue",
    labelNames: ["queue"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ queue: string; count: number }>`
        select queue, count(*)::int as count from job_failures where failures >= ${HELD_AFTER_FAILURES} group by queue`.execute(
        kysely,
      );
      return rows.map(({ queue, count }) => ({ labels: { queue }, value: count }));
    },
  },
];

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
