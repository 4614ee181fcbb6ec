import { sql } from "kysely";
import type { AreaMetric } from "../base/area-metric.ts";
import type { Database } from "../db/database.ts";

type ByChannel = { channel: string; value: number };
const labelled = (rows: readonly ByChannel[]) => rows.map(({ channel, value }) => ({ labels: { channel }, value }));

/** Whether mail, bot messages and push reach anybody. */
export const notificationMetrics = ({ kysely }: Database): AreaMetric[] => [
  {
    name: "messages_waiting",
    help: "Messages that are not sent yet, by channel",
    labelNames: ["channel"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<ByChannel>`
        select channel, count(*)::int as value from outbox where state = 'pending' group by channel`.execute(kysely);
      return labelled(rows);
    },
  },
  {
    name: "message_oldest_seconds",
    help: "Age of the oldest message that is not sent yet, by channel",
    labelNames: ["channel"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<ByChannel>`
        select channel, greatest(0, extract(epoch from now() - min(created_at)))::float8 as value
        from outbox where state = 'pending' group by channel`.execute(kysely);
      return labelled(rows);
    },
  },
  {
    name: "messages_failed",
    help: "Messages of the last day that were given up, by channel",
    labelNames: ["channel"],
    source: "rows",
    read: async () => {
      const { rows } = await sql<ByChannel>`
        select channel, count(*)::int as value from outbox
        where state = 'dead' and created_at > now() - interval '1 day' group by channel`.execute(kysely);
      return labelled(rows);
    },
  },
];
