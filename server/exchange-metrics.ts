import type { Registry } from "prom-client";
import { chainMetrics } from "./chains/metrics.ts";
import type { NetworkFigures } from "./chains/network-status.ts";
import type { Database } from "./db/database.ts";
import { clockMetrics, jobMetrics } from "./db/metrics.ts";
import { measureAreas } from "./http/monitoring/area-metrics.ts";
import { notificationMetrics } from "./notifications/metrics.ts";
import { orderMetrics } from "./orders/metrics.ts";
import { priceMetrics } from "./prices/metrics.ts";
import { rateMetrics } from "./rates/metrics.ts";
import { treasuryMetrics } from "./treasury/metrics.ts";

/** Adds the figures of the exchange to those of the process. `networks` says what this process knows of each network. */
export function measureExchange(
  registry: Registry,
  database: Database,
  networks: () => ReadonlyMap<string, NetworkFigures>,
): void {
  measureAreas(registry, database, [
    ...orderMetrics(database),
    ...treasuryMetrics(database),
    ...chainMetrics(database, networks),
    ...rateMetrics(database),
    ...priceMetrics(database),
    ...clockMetrics(database),
    ...jobMetrics(database),
    ...notificationMetrics(database),
  ]);
}
