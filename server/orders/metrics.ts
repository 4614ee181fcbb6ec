import { sql } from "kysely";
import { isInProgress } from "../db/orders-in-progress.ts";
import { type AreaMetric, type CountedRow, countsByNetwork } from "../base/area-metric.ts";
import type { Database } from "../db/database.ts";
import { CUSTOMER_WAITS } from "./decisions/decision.ts";

/** How long orders wait, and which refunds wait for an operator. */
export const orderMetrics = ({ kysely }: Database): AreaMetric[] => [
  {
    name: "order_oldest_seconds",
    help: "Age of the oldest order that is paid for and not done, by state; those that wait for their customers, or whose deposits are gone, are not counted",
    labelNames: ["state"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<{ state: string; seconds: number }>`
        select state, extract(epoch from now() - min(created_at))::float8 as seconds from orders
        where ${isInProgress("state")} and unpaid_until is null
          and (waiting_for is null or waiting_for <> all(${CUSTOMER_WAITS}::text[])) group by state`.execute(kysely);
      return rows.map(({ state, seconds }) => ({ labels: { state }, value: Math.max(0, seconds) }));
    },
  },
  {
    name: "orders_undecided",
    help: "Orders whose customers have not chosen in their time and that an operator may end, by network and reason",
    labelNames: ["network", "reason"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<CountedRow>`
        select network, reason, count(*)::int as count from undecided_orders group by network, reason`.execute(kysely);
      return countsByNetwork(rows);
    },
  },
  {
    name: "refunds_stopped",
    help: "Refunds that their owners stopped and that wait for an operator, by network",
    labelNames: ["network"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<CountedRow>`
        select network, count(*)::int as count from stopped_refunds where released_at is null group by network`.execute(
        kysely,
      );
      return countsByNetwork(rows);
    },
  },
];
