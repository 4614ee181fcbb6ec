import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { PUBLIC_URL, testApp } from "../../tests/support/http/http-app.ts";
import { AccountMails } from "../../tests/support/services/account-mails.ts";

const PASSWORD = "a long enough phrase";
const ANN = { email: "ann@mail.example", password: PASSWORD };
const BOB = { email: "bob@mail.example", password: PASSWORD };

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty("users", "sessions", "failed_attempts"));

const open = async () => {
  const app = await testApp(database);
  onTestFinished(() => app.close());
  return app;
};

describe("what an attacker sends", () => {
  test("beyond a call's own fields makes nobody an administrator or somebody else", async () => {
    const browser = new AccountBrowser(await open());
    const more = {
      permissions: "ADMIN",
      adminPermissionsScope: ["admins"],
      userId: 1,
      isActive: false,
      createdAt: "x",
    };
    await browser.send("createLocal", BOB);
    expect(await browser.send("createLocal", { ...ANN, ...more })).toMatchObject({ http: 201 });
    expect(await browser.send("authenticateLocal", { ...ANN, ...more })).toMatchObject({ http: 200 });
    const { body } = await browser.send("accountData");
    expect(body).toMatchObject({ email: ANN.email, permissions: "USER", adminPermissionsScope: null });
    const key = { name: "Shop", whiteListIp: "", userId: 1, isActive: false, secretKey: "known", publicKey: "known" };
    const made = await browser.send("generateApiKey", key);
    expect(made).toMatchObject({ http: 201, body: { isActive: true } });
    expect(Object.values(made.body)).not.toContain("known");
  });

  test("as planted session cookies is ignored after a sign-in", async () => {
    const browser = new AccountBrowser(await open());
    await browser.send("createLocal", ANN);
    for (const name of ["access", "refresh"]) browser.cookies.set(name, { value: "planted", path: "/" });
    expect(await browser.send("authenticateLocal", ANN)).toMatchObject({ http: 200 });
    const thief = browser.copy();
    for (const name of ["access", "refresh"]) thief.cookies.set(name, { value: "planted", path: "/" });
    expect(await thief.send("accountData")).toMatchObject({ http: 401 });
    expect(await thief.send("refresh", {})).toMatchObject({ http: 401 });
    expect(await browser.send("accountData")).toMatchObject({ http: 200 });
  });

  test("as the host is in no mail", async () => {
    const app = await open();
    await using mails = await new AccountMails(database).start();
    await new AccountBrowser(app).send("createLocal", ANN);
    const headers = { origin: PUBLIC_URL, host: "evil.example", "x-forwarded-host": "evil.example" };
    const payload = { email: ANN.email };
    expect(
      (await app.inject({ method: "POST", url: calls.requestPasswordReset.path, headers, payload })).statusCode,
    ).toBe(200);
    await mails.code(ANN.email);
    const written = mails.to(ANN.email).join("\n");
    expect(written).toContain(new URL(PUBLIC_URL).host);
    expect(written).not.toContain("evil");
  });

  test("as the id of another's session or key changes neither", async () => {
    const app = await open();
    const [ann, bob] = [new AccountBrowser(app), new AccountBrowser(app)];
    for (const [browser, who] of [
      [ann, ANN],
      [bob, BOB],
    ] as const) {
      await browser.send("createLocal", who);
      await browser.send("authenticateLocal", who);
    }
    const { body } = await ann.send("sessions");
    const [session] = Object.values(body) as { sessionId: string }[];
    const { body: key } = await ann.send("generateApiKey", { name: "Shop", whiteListIp: "" });
    const apiId = String(key["apiId"]);
    await bob.send("endSession", { sessionId: session?.sessionId ?? "" });
    expect(await bob.send("deleteApiKey", { apiId })).toMatchObject({ http: 404 });
    expect(await ann.send("accountData")).toMatchObject({ http: 200 });
    expect(Object.values((await ann.send("listApiKeys")).body)).toMatchObject([{ apiId }]);
  });

  test.each(["' or 1=1 --", "<script>alert(1)</script>", "x".repeat(10_000), "AAAAAAAA", "%00", "__proto__"])(
    "as a link refers nobody and stops no registration for good: case %#",
    async (referrerAffiliateId) => {
      const browser = new AccountBrowser(await open());
      const { http, body } = await browser.send("createLocal", { ...ANN, referrerAffiliateId });
      expect([400, 404]).toContain(http);
      expect(JSON.stringify(body)).not.toContain("<script>");
      expect(await browser.send("createLocal", ANN)).toMatchObject({ http: 201 });
    },
  );
});
