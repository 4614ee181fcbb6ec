import { afterAll, beforeAll, expect, it } from "vitest";
import { AccountBrowser } from "../support/http/account-browser.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { PUBLIC_URL, testApp, type TestApp } from "../support/http/http-app.ts";
import type { SecurityEvent } from "../../server/base/logging/security-log.ts";

const BY_EMAIL = { email: "ann@mail.example", password: "a long enough phrase" };
const TABS = 20;

let database: TestDatabase;
let app: TestApp;
const events: SecurityEvent[] = [];
beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database, {
    securityLog: { record: (event) => events.push(event) > 0 },
    config: { publicUrl: PUBLIC_URL },
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

it("ends the session for the thief and the owner alike, and says so in the security log", async () => {
  const owner = new AccountBrowser(app);
  await owner.send("createLocal", BY_EMAIL);
  await owner.send("authenticateLocal", BY_EMAIL);
  const elsewhere = new AccountBrowser(app);
  await elsewhere.send("authenticateLocal", BY_EMAIL);
  const thief = owner.copy();

  // Many tabs at once, and a reply that was lost: one successor, and nobody is signed out.
  const tabs = Array.from({ length: TABS }, () => owner.copy());
  const answers = await Promise.all(tabs.map((tab) => tab.send("refresh", {})));
  expect(new Set(answers.map(({ http }) => http))).toEqual(new Set([200]));
  expect(new Set(tabs.map((tab) => tab.cookie("refresh"))).size).toBe(1);
  const { rowCount } = await database.pool.query(
    "select from session_tokens where kind = 'refresh' and used_at is null",
  );
  expect(rowCount).toBe(2);
  const [tab = owner] = tabs;

  app.market.advance(31);
  const replays = await Promise.all(Array.from({ length: TABS }, () => thief.copy().send("refresh", {})));
  expect(new Set(replays.map(({ http }) => http))).toEqual(new Set([401]));

  expect(await tab.copy().send("refresh", {})).toMatchObject({ http: 401 });
  expect(await tab.send("accountData")).toMatchObject({ http: 401 });
  expect(await elsewhere.send("accountData")).toMatchObject({ http: 200 });
  expect(events.filter(({ event }) => event === "session.reused")).toHaveLength(1);
});
