import { sql } from "kysely";
import type { AreaMetric } from "../base/area-metric.ts";
import type { Database } from "../db/database.ts";

/** How old the prices are that everything is quoted from. */
export const rateMetrics = ({ kysely }: Database): AreaMetric[] => [
  {
    name: "price_age_seconds",
    help: "Age of the newest price snapshot",
    labelNames: [],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from now() - at)::float8 as seconds from price_snapshots order by at desc limit 1`.execute(
        kysely,
      );
      // A clock that was moved forward has written prices of later.
      return rows.map(({ seconds }) => ({ labels: {}, value: Math.max(0, seconds) }));
    },
  },
];
