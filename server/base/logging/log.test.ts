import { Writable } from "node:stream";
import pg from "pg";
import { expect, test } from "vitest";
import { logHash, setLogKey } from "./log-hash.ts";
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
    orderId: logHash("o-1"),
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
  "depositAddress",
  "userEmail",
  "recipient",
  "endpoint",
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

test.each([
  [
    "a database",
    "can't connect to postgresql://wherry:hunt@er2/hunter2@db.internal:5432/wherry?sslmode=require",
    "db.internal:5432",
  ],
  ["Redis", "rediss://:hunter2@cache.internal:6380/0 is gone", "cache.internal:6380"],
  ["a mail server", "smtps://orders%40wherry.test:hunter2@mail.internal:465?from=x refused", "mail.internal:465"],
  ["a partner", "GET https://partner.internal/v2/exchange/hunter2?api_key=hunter2 failed", "partner.internal"],
  ["a webhook", "POST https://api.telegram.org/bot123:hunter2/setWebhook failed", "api.telegram.org"],
  ["a push service", "https://fcm.internal/fcm/send/hunter2:APA91 is gone", "fcm.internal"],
])("the address of %s is logged without its secret part", (_of, message, host) => {
  const { log, text } = recordingLog();
  log.error({ err: new Error("failed", { cause: new Error(message) }), reason: message }, "failed");
  log.error({ error: message }, "failed");
  expect(text()).not.toContain("hunter2");
  expect(text().split(host).length - 1).toBe(4);
});

test.each([
  "ann.o+tag@mail.example.com",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  "ltc1qhzjptwpym9afcdjhs7jcz6fd0jma0l0rc0e5yr",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L",
  "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
  "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H",
  "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
])("a customer's address in an error is hidden: %s", (address) => {
  const { log, text } = recordingLog();
  const message = `execution reverted: to: ${address}, value: 1`;
  log.error({ err: new Error("failed", { cause: new Error(message) }), reason: message }, "failed");
  expect(text()).not.toContain(address);
  expect(text()).toContain("execution reverted: to: [hidden], value: 1");
});

test("what names a transaction, a block, a file or a function stays", () => {
  const { log, lines } = recordingLog();
  const reason = [
    `0x${"a1".repeat(32)}`,
    "a1b2c3d4".repeat(8),
    "a1b2c3d4".repeat(4),
    "server/treasury/payouts/broadcast.ts:24:7",
    "TransactionReceiptNotFoundError",
    "usdt-erc20",
    "10.0.0.7:8545",
  ].join(" ");
  log.error({ reason }, "failed");
  expect(lines()[0]).toMatchObject({ reason });
});

test("an order's id is a hash that changes with the key, wherever it stands", () => {
  const orderId = "7KQ4M2XD7KQ4M2XD7KQ4M2Xd";
  const { log, text, lines } = recordingLog();
  log.child({ orderId }).info({ event: "paid" });
  log.info({ orderId });
  log.info({ job: { orderId }, deeper: { job: { orderId } } });
  const error = new Error(`the order ${orderId} has no deposit`, { cause: new Error(`not found: ${orderId}`) });
  log.error({ err: error, reason: `order ${orderId}` });
  expect(text()).not.toContain(orderId);
  const hash = logHash(orderId);
  expect(text().split(hash)).toHaveLength(11);
  expect(lines()[1]).toMatchObject({ orderId: hash });
  setLogKey(Buffer.alloc(32, 1));
  expect(logHash(orderId)).not.toBe(hash);
});
