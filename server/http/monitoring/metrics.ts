import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { refuseListen } from "../../base/processes/listen-error.ts";
import type { SupervisedChild } from "../../base/processes/supervised-child.ts";
import type { Log } from "../../base/logging/log.ts";

/** The process's figures; other areas add their own to `registry`. */
export type Metrics = { registry: Registry };

/** The figures of the process carry its roles, because a page may show those of two processes. */
export function createMetrics(roles: { web: boolean; worker: boolean }): Metrics {
  const registry = new Registry();
  const role = [...(roles.web ? ["web"] : []), ...(roles.worker ? ["worker"] : [])].join(",");
  collectDefaultMetrics({ register: registry, labels: { role } });
  return { registry };
}

/** Tells whether the worker process runs, and how often it was restarted. */
export function measureChild({ registry }: Metrics, worker: Pick<SupervisedChild, "isUp" | "restarts">): void {
  const up: Gauge = new Gauge({
    name: "worker_process_up",
    help: "1 while the worker process runs",
    registers: [registry],
    collect: () => up.set(worker.isUp() ? 1 : 0),
  });
  const restarts: Counter = new Counter({
    name: "worker_process_restarts_total",
    help: "How often the worker process has died and was restarted",
    registers: [registry],
    collect: () => {
      restarts.reset();
      restarts.inc(worker.restarts());
    },
  });
}

/** Measures how long each route takes to answer, by its pattern: a URL would hold ids. */
export function measureRoutes(app: FastifyInstance, { registry }: Metrics): void {
  const seconds = new Histogram({
    name: "http_answer_seconds",
    help: "Time to answer a request",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? "none",
      status: String(reply.statusCode),
    };
    seconds.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}

/** Collects a page without the metrics that can't be read now, each of which is logged once until it can be read again. */
export function collectorOf(registry: Registry, log: Log): () => Promise<string> {
  const failing = new Set<string>();
  const read = async (metric: string): Promise<string[]> => {
    try {
      const text = await registry.getSingleMetricAsString(metric);
      failing.delete(metric);
      return [text];
    } catch (error) {
      if (!failing.has(metric)) log.error({ err: error, metric }, "a metric could not be collected and is left out");
      failing.add(metric);
      return [];
    }
  };
  return async () => {
    const texts = await Promise.all(registry.getMetricsAsArray().map(({ name }) => read(name)));
    return `${texts.flat().join("\n\n")}\n`;
  };
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i;

/**
 * Serves `/metrics` on a port of its own, which no proxy makes public, together with those of another process; the log names the address,
 * as a warning where others reach it.
 */
export async function serveMetrics(
  { registry }: Metrics,
  place: { host: string; port: number },
  log: Log,
  others: () => Promise<string | null> = async () => null,
): Promise<Server> {
  const collect = collectorOf(registry, log);
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    Promise.all([collect(), others()])
      .then(([own, other]) => (other === null ? own : joinMetrics(own, other)))
      .then(
        (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
        (error: unknown) => {
          log.error({ err: error }, "metrics could not be collected");
          response.writeHead(500).end();
        },
      );
  });
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(place.port, place.host, listening.resolve);
  await listening.promise.catch((error: unknown) => refuseListen(error, "METRICS_PORT", place));
  if (LOOPBACK.test(place.host)) log.info(place, "metrics are served to this machine");
  else log.warn(place, "metrics are served to whoever reaches this address");
  return server;
}

/** One page of two: Prometheus takes each metric once, with all of its values below it. */
function joinMetrics(own: string, other: string): string {
  const blocks = new Map<string, string>();
  for (const block of [own, other].flatMap((text) => text.trim().split(/\n+(?=# HELP )/))) {
    const [help = "", type = "", ...values] = block.split("\n");
    const name = help.split(" ")[2] ?? "";
    const before = blocks.get(name);
    blocks.set(name, [before ?? `${help}\n${type}`, ...values].join("\n"));
  }
  return `${[...blocks.values()].join("\n\n")}\n`;
}
