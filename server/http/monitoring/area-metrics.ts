import { setTimeout as delay } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import type { AreaMetric } from "../../base/area-metric.ts";
import type { Database } from "../../db/database.ts";

/** A scrape waits for the database no longer than this. */
const DATABASE_TIMEOUT_MS = 2_000;

/** Adds the areas' figures to those of the process, and whether the database answers. */
export function measureAreas(registry: Registry, database: Database, metrics: readonly AreaMetric[]): void {
  const isDatabaseUp = databaseProbe(database);
  const gauge = ({ name, help, labelNames, read }: Omit<AreaMetric, "source">): void => {
    const one: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        const values = await read();
        one.reset();
        for (const { labels, value } of values) one.set(labels, value);
      },
    });
  };
  gauge({
    name: "database_up",
    help: "1 while the database answers within two seconds, else 0",
    labelNames: [],
    read: async () => [{ labels: {}, value: (await isDatabaseUp()) ? 1 : 0 }],
  });
  for (const metric of metrics)
    gauge({
      ...metric,
      read: async () => (metric.source === "memory" || (await isDatabaseUp()) ? metric.read() : []),
    });
}

/** Whether the database answers; the gauges of one page share the question, so that a database that hangs keeps one connection busy. */
function databaseProbe({ pool }: Database): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null;
  const ask = async (): Promise<boolean> => {
    const over = new AbortController();
    const late = delay(DATABASE_TIMEOUT_MS, false, { signal: over.signal }).catch(() => false);
    // Why it does not answer is in the log of the health check.
    const answer = pool.query("select 1").then(
      () => true,
      () => false,
    );
    const isUp = await Promise.race([answer, late]);
    over.abort();
    return isUp;
  };
  return () =>
    (asking ??= ask().finally(() => {
      asking = null;
    }));
}
