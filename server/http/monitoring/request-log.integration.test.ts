import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { testApp } from "../../../tests/support/http/http-app.ts";
import { createLog, type Log } from "../../base/logging/log.ts";
import { RequestLog } from "./request-log.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

function openLog(level: string): { log: Log; lines: () => Record<string, unknown>[] } {
  const written: string[] = [];
  const log = createLog({ level, destination: { write: (line: string) => void written.push(line) } });
  return { log, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

/** The lines that one good and one failed answer leave. */
async function linesAt(level: string) {
  const { log, lines } = openLog(level);
  const app = await testApp(database, { log });
  onTestFinished(() => app.close());
  await app.inject(calls.healthz.path);
  await app.inject(calls.stats.path);
  return lines().filter(({ msg }) => msg === "answered");
}

const failed = { level: "warn", method: "GET", route: calls.stats.path, status: 500, traceId: expect.any(String) };

it("has a line for each answer at the level debug", async () => {
  const fine = { level: "debug", method: "GET", route: calls.healthz.path, status: 200, traceId: expect.any(String) };
  expect(await linesAt("debug")).toMatchObject([fine, failed]);
});

it("has a line for each failure of ours above that", async () => {
  expect(await linesAt("info")).toMatchObject([failed]);
});

it("is made with its first line, once", () => {
  const { log, lines } = openLog("info");
  let made = 0;
  const parent = Object.assign(Object.create(log) as Log, {
    child: (...given: Parameters<Log["child"]>) => {
      made += 1;
      return log.child(...given);
    },
  });
  const request = new RequestLog(parent, { traceId: "t1" }, {});
  expect(made).toBe(0);
  request.info("one");
  request.warn({ at: 2 }, "two");
  request.child({ part: "three" }).error("three");
  expect(made).toBe(1);
  expect(lines()).toMatchObject([
    { level: "info", traceId: "t1", msg: "one" },
    { level: "warn", traceId: "t1", at: 2, msg: "two" },
    { level: "error", traceId: "t1", part: "three", msg: "three" },
  ]);
});
