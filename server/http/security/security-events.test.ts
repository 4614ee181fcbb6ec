import fastify from "fastify";
import { expect, test } from "vitest";
import { CodedError } from "#contract/errors.ts";
import type { SecurityEvent } from "../../base/logging/security-log.ts";
import { recordRefusals } from "./security-events.ts";

/** A server that refuses every call, and what its security log gets. */
function refusing() {
  const events: SecurityEvent[] = [];
  const time = { ms: 0 };
  const app = fastify();
  recordRefusals(app, { record: (event) => events.push(event) > 0 }, () => time.ms);
  app.get("/refused", () => {
    throw new CodedError("ERR_FORBIDDEN", "no");
  });
  const ask = (remoteAddress: string) => app.inject({ url: "/refused", remoteAddress });
  return { events, time, ask };
}

test("a client that is refused all the time has a line each minute, which says how many it stands for", async () => {
  const { events, time, ask } = refusing();

  for (; time.ms < 120_000; time.ms += 10_000) await ask("10.0.0.1");
  await ask("10.0.0.2");

  expect(events).toMatchObject([
    { client: "10.0.0.1", route: "/refused" },
    { client: "10.0.0.1", repeated: 5 },
    { client: "10.0.0.2" },
  ]);
  expect(events[0]).not.toHaveProperty("repeated");
});

test("the addresses of one IPv6 network share a line, and no crowd writes more than a thousand a minute", async () => {
  const { events, time, ask } = refusing();

  for (let n = 1; n <= 5; n += 1) await ask(`2001:db8:7:${n}::1`);
  expect(events).toHaveLength(1);

  for (let n = 0; n < 1_200; n += 1) await ask(`10.0.${n >> 8}.${n & 255}`);
  expect(events).toHaveLength(1_000);
  time.ms = 60_000;
  await ask("10.0.4.175");
  expect(events.at(-1)).toMatchObject({ client: "10.0.4.175", repeated: 1 });
});
