import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Log } from "../base/log.ts";

/** The process's figures; other areas add their own to `registry`. */
export type Metrics = { registry: Registry };

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry };
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

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i;

/** Serves `/metrics` on a port of its own, which no proxy makes public; the log names the address, as a warning where others reach it. */
export async function serveMetrics(
  { registry }: Metrics,
  place: { host: string; port: number },
  log: Log,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    registry.metrics().then(
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
  await listening.promise;
  if (LOOPBACK.test(place.host)) log.info(place, "metrics are served to this machine");
  else log.warn(place, "metrics are served to whoever reaches this address");
  return server;
}
