import fastify from "fastify";
import { expect, test } from "vitest";
import { CodedError } from "#contract/errors.ts";
import type { SecurityEvent } from "../base/security-log.ts";
import { recordRefusals } from "./security-events.ts";

test("a client that is refused all the time has a line each minute, which says how many it stands for", async () => {
  const events: SecurityEvent[] = [];
  let now = 0;
  const app = fastify();
  recordRefusals(app, { record: (event) => events.push(event) > 0 }, () => now);
  app.get("/refused", () => {
    throw new CodedError("ERR_FORBIDDEN", "no");
  });
  const ask = (remoteAddress: string) => app.inject({ url: "/refused", remoteAddress });

  for (now = 0; now < 120_000; now += 10_000) await ask("10.0.0.1");
  await ask("10.0.0.2");

  expect(events).toMatchObject([
    { client: "10.0.0.1", route: "/refused" },
    { client: "10.0.0.1", repeated: 5 },
    { client: "10.0.0.2" },
  ]);
  expect(events[0]).not.toHaveProperty("repeated");
});
