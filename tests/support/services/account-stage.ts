import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { freshDatabase, type TestDatabase } from "../database/database.ts";
import { AccountBrowser } from "../http/account-browser.ts";
import { testApp } from "../http/http-app.ts";
import { AccountMails } from "./account-mails.ts";

export const EMAIL = "ann@mail.example";
export const PASSWORD = "a long enough phrase";
export const BY_EMAIL = { email: EMAIL, password: PASSWORD };

type Given = Parameters<typeof testApp>[1] & { readonly locale?: "en" | "ru" };

/** What a file's tests of accounts stand on: a database without accounts before each test, and the mails that it sends. */
export function accountStage() {
  let database: TestDatabase | undefined;
  let mails: AccountMails | undefined;
  beforeAll(async () => {
    database = await freshDatabase();
    mails = await new AccountMails(database).start();
  });
  afterAll(async () => {
    await mails?.[Symbol.asyncDispose]();
    await database?.drop();
  });
  beforeEach(async () => {
    await stage.database.empty("users", "sessions", "failed_attempts");
    stage.mails.sink.caught.length = 0;
    stage.mails.sink.replies = [];
  });
  const stage = {
    get database(): TestDatabase {
      return needed(database);
    },
    get mails(): AccountMails {
      return needed(mails);
    },
    /** An app with one account, and the browser that made it; closed when the caller's block ends. */
    async registered({ locale, ...given }: Given = {}) {
      const app = await testApp(stage.database, given);
      const browser = new AccountBrowser(app);
      const account = { ...BY_EMAIL, ...(locale && { locale }) };
      expect(await browser.send("createLocal", account)).toMatchObject({ http: 201, body: {} });
      return { app, browser, [Symbol.asyncDispose]: () => app.close() };
    },
    /** The same, and the browser is signed in. */
    async signedIn(given: Given = {}) {
      const opened = await stage.registered(given);
      expect(await opened.browser.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200, body: {} });
      return opened;
    },
  };
  return stage;
}

function needed<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("the stage stands from the file's first test on");
  return part;
}
