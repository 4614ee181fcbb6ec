import { afterAll, beforeAll, expect, it } from "vitest";
import { AccountBrowser } from "../support/http/account-browser.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { testApp, type TestApp } from "../support/http/http-app.ts";

const PASSWORD = "a long enough phrase";
const VICTIM = "ann@mail.example";
const WRONG = 1_000;
const CLIENTS = 100;
const FREE_TRIES = 5;
const ALL_WITHIN_MS = 60_000;
/** All thousand come to one process before them. */
const OTHERS_WITHIN_MS = 20_000;

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database);
  for (const email of [VICTIM, "bob@mail.example"])
    expect(await new AccountBrowser(app).send("createLocal", { email, password: PASSWORD })).toMatchObject({
      http: 201,
    });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

it("a thousand wrong passwords from a hundred addresses end in bounded time, while others sign in and the API answers", async () => {
  const known = new AccountBrowser(app, "192.0.2.1");
  await known.send("authenticateLocal", { email: VICTIM, password: PASSWORD });
  const began = performance.now();
  const flood = Array.from({ length: WRONG }, async (_, n) => {
    const attacker = new AccountBrowser(app, `198.51.100.${n % CLIENTS}`);
    return (await attacker.send("authenticateLocal", { email: VICTIM, password: `wrong password ${n}` })).http;
  });

  const timed = async (work: Promise<{ http: number }>) => {
    const { http } = await work;
    return { http, ms: Math.round(performance.now() - began) };
  };
  const [other, owner, health] = await Promise.all([
    timed(
      new AccountBrowser(app, "203.0.113.5").send("authenticateLocal", {
        email: "bob@mail.example",
        password: PASSWORD,
      }),
    ),
    timed(known.send("authenticateLocal", { email: VICTIM, password: PASSWORD })),
    timed(known.send("health")),
  ]);
  const answers = await Promise.all(flood);
  const ms = Math.round(performance.now() - began);
  const count = (http: number) => answers.filter((one) => one === http).length;
  console.log(
    `${WRONG} wrong passwords in ${ms} ms: ${count(400)} judged, ${count(429)} told to wait, ${count(503)} not served; ` +
      `another person signed in after ${other.ms} ms, the owner after ${owner.ms} ms, health answered after ${health.ms} ms`,
  );

  expect([other.http, owner.http, health.http]).toEqual([200, 200, 200]);
  expect(Math.max(other.ms, owner.ms, health.ms)).toBeLessThan(OTHERS_WITHIN_MS);
  expect(ms).toBeLessThan(ALL_WITHIN_MS);
  expect(count(400)).toBeLessThanOrEqual(CLIENTS * FREE_TRIES);
  expect(count(400) + count(429) + count(503)).toBe(WRONG);
  const { rows } = await database.pool.query("select from outbox where topic = 'failed_sign_ins'");
  expect(rows.length).toBeLessThanOrEqual(1);
});
