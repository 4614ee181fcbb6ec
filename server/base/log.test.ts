import { Writable } from "node:stream";
import pg from "pg";
import { expect, test } from "vitest";
import { createLog, type Log } from "./log.ts";

function recordingLog(level = "info"): { log: Log; text(): string; lines(): Record<string, unknown>[] } {
  let written = "";
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  return {
    log: createLog({ level, destination }),
    text: () => written,
    lines: () =>
      written
        .trimEnd()
        .split("\n")
        .map((line): Record<string, unknown> => JSON.parse(line)),
  };
}

test("an event is one JSON line with its trace and its order, whatever it says", () => {
  const { log, lines } = recordingLog();
  log.child({ traceId: "t-1" }).child({ orderId: "o-1" }).info({ state: "paid" }, "order\r\n{forged}");
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: "info",
    traceId: "t-1",
    orderId: "o-1",
    state: "paid",
    msg: "order\r\n{forged}",
  });
  expect(lines()[0]?.["time"]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test.each([
  "password",
  "token",
  "authorization",
  "cookie",
  "set-cookie",
  "email",
  "mnemonic",
  "databaseUrl",
  "destinationAddress",
])("%s is hidden, also one and two levels down", (name) => {
  const { log, text } = recordingLog();
  log.info({ [name]: "hunter2" });
  log.info({ user: { [name]: "hunter2" } });
  log.info({ req: { headers: { [name]: "hunter2" } } });
  expect(text().match(/\[hidden\]/g)).toHaveLength(3);
  expect(text()).not.toContain("hunter2");
});

test("an error keeps its message, code and cause, without credentials in an address", () => {
  const { log, text, lines } = recordingLog();
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  log.error({ err: new Error("no answer from postgres://wherry:hunter2@127.0.0.1/wherry", { cause }) }, "failed");
  expect(text()).not.toContain("hunter2");
  expect(lines()[0]).toMatchObject({
    err: {
      type: "Error",
      message: "no answer from postgres://[hidden]@127.0.0.1/wherry",
      cause: { code: "ECONNREFUSED" },
    },
  });
});

test("a database error is logged without the row that it is about", () => {
  const { log, text, lines } = recordingLog();
  const error = Object.assign(new pg.DatabaseError("duplicate key value violates unique constraint", 1, "error"), {
    code: "23505",
    constraint: "users_email",
    detail: "Key (email)=(someone@example.org) already exists.",
  });
  log.warn({ err: error });
  log.warn(error);
  expect(lines()[0]).toMatchObject({ err: { code: "23505", constraint: "users_email" } });
  expect(text()).not.toContain("someone@example.org");
});

test("what is below the level is not written", () => {
  const { log, text } = recordingLog("warn");
  log.info("quiet");
  expect(text()).toBe("");
});

test("a node's key in a path or a query is hidden, and what it was asked, wherever they stand", () => {
  const { log, text } = recordingLog();
  const message = [
    "HTTP request failed.",
    "URL: https://user:hunter1@node.example:8545/v3/hunter2?apikey=hunter3",
    'Request body: {"method":"eth_getBalance","params":["0xhunter4"]}',
    "Details: fetch failed",
  ].join("\n");
  log.error({ err: new Error("a call failed", { cause: new Error(message) }), reason: message }, "the network is down");
  log.error({ err: new Error(message), reason: 7 }, "the network is down");
  expect(text()).not.toContain("hunter");
  expect(text()).toContain("https://[hidden]@node.example:8545/[hidden]");
  expect(text()).toContain("Details: fetch failed");
});
