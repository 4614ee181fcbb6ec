import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { BOT_TOKEN, testApp } from "../../../tests/support/http/http-app.ts";
import { launchData } from "../../../tests/support/services/launch-data.ts";
import { createLog } from "../../base/logging/log.ts";
import { createSecurityLog } from "../../base/logging/security-log.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

async function open(rateLimits = { reads: 1_000, writes: 1_000, signIns: 1_000 }) {
  const lines: string[] = [];
  const securityLog = createSecurityLog((line) => void lines.push(line), createLog({ level: "silent" }));
  const app = await testApp(database, { securityLog, config: { rateLimits } });
  onTestFinished(() => app.close());
  const signIn = (initData: string) =>
    app.inject({ method: "POST", url: calls.createByTelegram.path, payload: { initData } });
  const launch = () =>
    launchData(BOT_TOKEN, { auth_date: String(Math.floor(app.market.now.getTime() / 1000)), user: '{"id":7}' });
  const events = () =>
    lines.map((line) => {
      const {
        time: _,
        pid: __,
        schema: ___,
        level: ____,
        stream,
        ...event
      }: Record<string, unknown> = JSON.parse(line);
      expect(stream).toBe("security");
      return event;
    });
  return { app, lines, events, signIn, launch };
}

const TRACE = { traceId: expect.any(String), client: "127.0.0.1" };

test("a session that is opened and ended, with its user and without its token", async () => {
  const { app, lines, events, signIn, launch } = await open();
  const { accessToken, userId } = (await signIn(launch())).json<{ accessToken: string; userId: number }>();
  const headers = { authorization: `Bearer ${accessToken}` };
  await app.inject({ method: "POST", url: calls.logOut.path, headers });

  const user = { ...TRACE, userId: String(userId) };
  expect(events()).toEqual([
    { event: "session.opened", route: calls.createByTelegram.path, ...user },
    { event: "session.ended", route: calls.logOut.path, ...user },
  ]);
  expect(lines.join("")).not.toContain(accessToken);
});

test("a launch, a token and another site that are refused, each with its trace", async () => {
  const { app, lines, events, signIn, launch } = await open();
  const refused = await signIn(launch().replace("hash=", "hash=0"));
  await app.inject({ url: calls.accountData.path, headers: { authorization: "Bearer hunter2" } });
  const headers = { origin: "https://evil.test" };
  await app.inject({ method: "POST", url: calls.setEmail.path, payload: {}, headers });

  expect(events()).toEqual([
    {
      event: "launch.refused",
      route: calls.createByTelegram.path,
      ...TRACE,
      traceId: refused.json<{ traceId: string }>().traceId,
    },
    { event: "session.refused", route: calls.accountData.path, ...TRACE },
    { event: "call.forbidden", route: calls.setEmail.path, ...TRACE },
  ]);
  expect(lines.join("")).not.toContain("hunter2");
  expect(lines.join("")).not.toContain("hash");
});

test("a client over its limit has one line, however many calls it makes", async () => {
  const { app, events } = await open({ reads: 2, writes: 10, signIns: 10 });
  for (let call = 0; call < 20; call += 1) await app.inject({ url: calls.health.path });
  await app.inject({ url: calls.health.path, remoteAddress: "2001:db8::1" });

  expect(events()).toEqual([{ event: "limit.exceeded", route: calls.health.path, ...TRACE }]);
});

test("nothing of calls that are answered, or that ask for what isn't there", async () => {
  const { app, events } = await open();
  await app.inject({ url: calls.health.path });
  await app.inject({ url: "/api/v1/nothing" });
  await app.inject({ method: "POST", url: calls.setEmail.path, payload: {} });
  expect(events()).toEqual([]);
});
