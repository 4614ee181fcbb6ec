import { sql } from "kysely";
import { type AreaMetric, type CountedRow, countsByNetwork, type MetricValue } from "../base/area-metric.ts";
import type { Database } from "../db/database.ts";
import { IS_DUST_OF_ENDED } from "../db/idle-dust.ts";
import type { NetworkFigures } from "./network-status.ts";

type Head = NonNullable<NetworkFigures["head"]>;

/** Whether each network can be used, how far its follower is, and which deposits wait for an operator. */
export function chainMetrics({ kysely }: Database, networks: () => ReadonlyMap<string, NetworkFigures>): AreaMetric[] {
  const headValues = (read: (head: Head) => number): MetricValue[] =>
    [...networks()].flatMap(([network, { head }]) =>
      head === null ? [] : [{ labels: { network }, value: read(head) }],
    );
  return [
    {
      name: "deposits_in_review",
      help: "Deposits that wait for an operator, by network and reason",
      labelNames: ["network", "reason"],
      source: "rows",
      read: async () => {
        const { rows } = await sql<CountedRow>`
          select network, review_reason as reason, count(*)::int as count from deposits d
          where review_reason is not null and not ${IS_DUST_OF_ENDED} group by network, review_reason`.execute(kysely);
        return countsByNetwork(rows);
      },
    },
    {
      name: "follower_lag_blocks",
      help: "Blocks of the node that the stored tail does not have yet",
      labelNames: ["network"],
      source: "rows",
      read: async () => {
        const { rows } = await sql<{ network: string; height: number }>`
          select network, max(height)::int as height from chain_tail group by network`.execute(kysely);
        return rows.flatMap(({ network, height }) => {
          const head = networks().get(network)?.head ?? null;
          return head === null ? [] : [{ labels: { network }, value: Math.max(0, head.height - height) }];
        });
      },
    },
    {
      name: "network_unread_seconds",
      help: "Seconds since a network waits to be read after the database was restored or fell back: nothing is signed for its orders; missing while it is read",
      labelNames: ["network"],
      source: "rows",
      read: async () => {
        const { rows } = await sql<{ network: string; seconds: number }>`
          select network, greatest(0, extract(epoch from now() - unread_since))::int as seconds from followed_networks
          where unread_since is not null`.execute(kysely);
        return rows.map(({ network, seconds }) => ({ labels: { network }, value: seconds }));
      },
    },
    {
      name: "network_held_seconds",
      help: "Seconds since nothing is signed on a network because its mempool can't be read or has payments that no row knows; missing while payments go on",
      labelNames: ["network"],
      source: "rows",
      read: async () => {
        const { rows } = await sql<{ network: string; seconds: number }>`
          select network, greatest(0, extract(epoch from now() - held_since))::int as seconds from followed_networks
          where held_since is not null`.execute(kysely);
        return rows.map(({ network, seconds }) => ({ labels: { network }, value: seconds }));
      },
    },
    {
      name: "network_up",
      help: "1 while a network can be used, 0 while it is down",
      labelNames: ["network"],
      source: "memory",
      read: () => [...networks()].map(([network, { isUp }]) => ({ labels: { network }, value: isUp ? 1 : 0 })),
    },
    {
      name: "network_head_height",
      help: "Newest block of a network's node",
      labelNames: ["network"],
      source: "memory",
      read: () => headValues(({ height }) => height),
    },
    {
      name: "network_head_age_seconds",
      help: "How long a network's node has shown no newer block",
      labelNames: ["network"],
      source: "memory",
      read: () => headValues(({ ageSeconds }) => ageSeconds),
    },
  ];
}
