import { createLog, type Log } from "./base/logging/log.ts";
import { followParent } from "./base/processes/parent-process.ts";
import { runProcess } from "./base/processes/run-process.ts";
import { readConfig } from "./config/config.ts";
import { collectorOf, createMetrics, type Metrics } from "./http/monitoring/metrics.ts";
import { startRoles } from "./roles.ts";

// The worker that main.ts starts beside itself: DATA_DIR and the database are its parent's.
const parent = followParent();
await runProcess(
  async (closers) => {
    const config = readConfig(process.env);
    const { databaseUrl } = config;
    if (databaseUrl === null) throw new Error("the worker process was started without its database");
    const log = createLog({ level: config.logLevel });
    if (config.metrics !== null) reportMetrics(createMetrics(config.roles), log);
    await startRoles({ ...config, databaseUrl }, log, closers);
    return {};
  },
  (stop) => parent.on("stop", stop),
);
parent.report({ kind: "ready" });

function reportMetrics({ registry }: Metrics, log: Log): void {
  const collect = collectorOf(registry, log);
  parent.on("metrics", () => {
    collect().then(
      (text) => parent.report({ kind: "metrics", text }),
      (error: unknown) => log.error({ err: error }, "the worker's metrics could not be read"),
    );
  });
}
