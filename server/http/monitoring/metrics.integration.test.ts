import { once } from "node:events";
import type { Server } from "node:http";
import { Gauge } from "prom-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import type { Log } from "../../base/logging/log.ts";
import { createLog } from "../../base/logging/log.ts";
import { testApp } from "../../../tests/support/http/http-app.ts";
import { createMetrics, measureChild, serveMetrics } from "./metrics.ts";

async function pageOf(server: Server): Promise<string> {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: "close" } })).text();
}

const serve = async (host: string, log: Log) => {
  const server = await serveMetrics(createMetrics({ web: true, worker: false }), { host, port: 0 }, log);
  onTestFinished(async () => {
    server.close();
    await once(server, "close");
  });
};

describe("metrics", () => {
  it.each([
    ["127.0.0.1", "info"],
    ["localhost", "info"],
    ["0.0.0.0", "warn"],
    ["::", "warn"],
  ])("say where they are served: %s (%s)", async (host, level) => {
    const lines: string[] = [];
    const log = createLog({ level: "info", destination: { write: (line: string) => void lines.push(line) } });
    await serve(host, log);
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ level, host, port: expect.any(Number) }]);
  });

  it("of two processes are one page, with each metric once", async () => {
    await using database = await freshDatabase();
    const [web, worker] = [createMetrics({ web: true, worker: false }), createMetrics({ web: false, worker: true })];
    measureChild(web, { isUp: () => true, restarts: () => 2 });
    let isUp = true;
    const others = async () => (isUp ? worker.registry.metrics() : null);
    const server = await serveMetrics(web, { host: "127.0.0.1", port: 0 }, database.log, others);
    onTestFinished(() => void server.close());
    const text = await pageOf(server);
    for (const role of ["web", "worker"])
      expect(text).toMatch(new RegExp(`^process_cpu_seconds_total\\{role="${role}"\\} `, "m"));
    expect(text.match(/^# TYPE process_cpu_seconds_total /gm)).toHaveLength(1);
    expect(text).toMatch(/^worker_process_up 1$/m);
    expect(text).toMatch(/^worker_process_restarts_total 2$/m);
    isUp = false;
    expect(await pageOf(server)).not.toContain('role="worker"');
  });

  it("leave one out that can't be collected, and log it once", async () => {
    const lines: string[] = [];
    const log = createLog({ level: "error", destination: { write: (line: string) => void lines.push(line) } });
    const metrics = createMetrics({ web: true, worker: false });
    let isFailing = true;
    const one: Gauge = new Gauge({
      name: "rows",
      help: "of a table",
      registers: [metrics.registry],
      collect: () => {
        if (isFailing) throw new Error("no answer");
        one.set(7);
      },
    });
    const server = await serveMetrics(metrics, { host: "127.0.0.1", port: 0 }, log);
    onTestFinished(() => void server.close());
    for (let page = 0; page < 2; page += 1) {
      const text = await pageOf(server);
      expect(text).toContain("process_cpu_seconds_total");
      expect(text).not.toContain("rows");
    }
    expect(lines).toHaveLength(1);
    isFailing = false;
    expect(await pageOf(server)).toMatch(/^rows 7$/m);
  });

  it("are served on a port of their own and count routes by their pattern, without what a URL discloses", async () => {
    await using database = await freshDatabase();
    const metrics = createMetrics({ web: true, worker: false });
    await using app = await testApp(database, { metrics });
    const server = await serveMetrics(metrics, { host: "127.0.0.1", port: 0 }, database.log);
    onTestFinished(async () => {
      server.close();
      await once(server, "close");
    });
    await app.inject(`${calls.orderInfo.path}?orderId=secret&destinationAddress=0xsecret`);
    await app.inject("/nowhere/secret");

    const text = await pageOf(server);
    expect(text).toContain(`http_answer_seconds_count{method="GET",route="${calls.orderInfo.path}",status="404"} 1`);
    expect(text).toContain('http_answer_seconds_count{method="GET",route="none",status="404"} 1');
    expect(text).toContain("process_cpu_seconds_total");
    expect(text).not.toContain("secret");
    expect((await app.inject("/metrics")).statusCode).toBe(404);
  });
});
