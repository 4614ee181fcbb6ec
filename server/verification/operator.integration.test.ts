import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import sharp from "sharp";
import webPush from "web-push";
import { pushNotificationSchema } from "#contract/accounts/push.ts";
import { lockSignedIn } from "../accounts/index.ts";
import { signedInPerson } from "../../tests/support/services/signed-in-person.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { AccountMails } from "../../tests/support/services/account-mails.ts";
import { BotApi } from "../../tests/support/services/bot-api.ts";
import { PushService } from "../../tests/support/services/push-service.ts";
import { sampleForm, samplePhoto } from "../../tests/support/http/verification-form.ts";
import { submitVerificationBodySchema } from "#contract/accounts/verification.ts";
import { createPushSender, createPushSubscriptions } from "../notifications/index.ts";
import { runGrantCommand } from "../admin/grant-command.ts";
import { runVerificationCommand } from "./operator.ts";
import { documentKey } from "./sealing.ts";
import { createVerification } from "./verification.ts";

const KEY = Buffer.alloc(32, 7);
const OPTIONS = { kycKey: KEY, formerKycKey: null, sandbox: false };

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), "wherry-kyc-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

let userId: bigint;
beforeEach(async () => {
  await database.empty("users", "operator_actions", "outbox");
  const { rows } = await database.pool.query<{ id: bigint }>(
    `insert into users (email, telegram_id, locale, permissions)
     values ('ann@mail.example', 77, 'ru', 'USER'), ('op@mail.example', null, 'en', 'ADMIN') returning id`,
  );
  userId = BigInt(rows[0]?.id ?? 0);
  await runGrantCommand(database, "grant op@mail.example kyc first operator --as root".split(" "));
});

const run = (command: string) => runVerificationCommand(database, OPTIONS, `verification ${command}`.split(" "));

async function send(): Promise<string> {
  const verification = createVerification({
    database,
    clock: { now: () => new Date() },
    lockSignedIn,
    key: documentKey(KEY),
  });
  const form = Object.fromEntries(await sampleForm({ facePhoto: await samplePhoto("png") }));
  const by = await signedInPerson(database, userId);
  await verification.submit(by, "192.0.2.1", async () => submitVerificationBodySchema.parse(form));
  const { rows } = await database.pool.query<{ id: bigint }>("select max(id) as id from verifications");
  return String(rows[0]?.id);
}

const auditRows = async () =>
  (
    await database.pool.query<{ operator: string; action: string; subject: string; reason: string; after: object }>(
      "select operator, action, subject, reason, after from operator_actions where action like 'verification%' order by id",
    )
  ).rows;

test("scopes make nobody an administrator", async () => {
  const grant = runGrantCommand(database, "grant ann@mail.example kyc a shortcut --as root".split(" "));
  await expect(grant).rejects.toThrow("account grant-admin first");
});

describe("an operator", () => {
  test("lists, opens and approves, with an audit row for each reading and decision", async () => {
    expect(await run("list")).toBe("Nobody waits for a check.");
    const id = await send();
    expect(await run("list")).toContain(`${id}  user ${userId}  CREATED`);
    await expect(run(`approve ${id} fine --as op@mail.example`)).rejects.toThrow("Open it first");

    const there = join(folder, id);
    await run(`open ${id} ${there} routine --as op@mail.example`);
    expect((await readdir(there)).toSorted()).toEqual(["back.jpg", "face.jpg", "form.json", "front.jpg"]);
    expect((await stat(join(there, "face.jpg"))).mode & 0o777).toBe(0o600);
    expect((await stat(there)).mode & 0o777).toBe(0o700);
    expect((await sharp(await readFile(join(there, "face.jpg"))).metadata()).format).toBe("jpeg");
    expect(JSON.parse(await readFile(join(there, "form.json"), "utf8"))).toMatchObject({ firstName: "Marit" });
    expect(await run("list")).toContain("PROCESS");
    await expect(run(`open ${id} ${there} again --as op@mail.example`)).rejects.toThrow("new folder");

    await run(`approve ${id} all fits --as op@mail.example`);
    await expect(run(`reject ${id} face_differs late --as op@mail.example`)).rejects.toThrow("approved already");
    expect(await auditRows()).toMatchObject([
      { operator: "op@mail.example", action: "verification open", subject: `verification ${id}`, reason: "routine" },
      { action: "verification approve", reason: "all fits", after: { status: "PASS" } },
    ]);
  });

  test.each([
    ["without the scope", "--as ann@mail.example", "scope kyc"],
    ["whom nobody knows", "--as nobody@mail.example", "scope kyc"],
    ["without a name", "", "Say who you are"],
  ])("%s sees and decides nothing", async (_, as, message) => {
    const id = await send();
    const there = join(folder, `refused-${id}`);
    await expect(run(`open ${id} ${there} why ${as}`.trim())).rejects.toThrow(message);
    await expect(stat(there)).rejects.toThrow();
    await expect(run(`reject ${id} face_differs why ${as}`.trim())).rejects.toThrow(message);
    expect(await auditRows()).toEqual([]);
  });

  test("reads what a command lacks", async () => {
    const id = await send();
    await expect(run("")).rejects.toThrow("verification list");
    const unmade = join(folder, `unmade-${id}`);
    await expect(run(`open x ${unmade} why --as op@mail.example`)).rejects.toThrow("is no check");
    await expect(stat(unmade)).rejects.toThrow();
    await expect(run(`reject ${id} ugly why --as op@mail.example`)).rejects.toThrow("is no reason");
    await expect(run("approve 999999 why --as op@mail.example")).rejects.toThrow("There is no check");
    const without = runVerificationCommand(
      database,
      { kycKey: null, formerKycKey: null, sandbox: false },
      `verification open ${id} ${join(folder, "none")} why --as op@mail.example`.split(" "),
    );
    await expect(without).rejects.toThrow("KYC_KEY");
  });

  test("with the wrong key reads nothing, and no reading is recorded", async () => {
    const id = await send();
    const other = { kycKey: Buffer.alloc(32, 9), formerKycKey: null, sandbox: false };
    const words = `verification open ${id} ${join(folder, `other-${id}`)} why --as op@mail.example`.split(" ");
    await expect(runVerificationCommand(database, other, words)).rejects.toThrow("sealed with another KYC_KEY");
    expect(await auditRows()).toEqual([]);
    expect(await run("list")).toContain("CREATED");
  });

  test("decides by the database's time, whatever the clock of its machine shows", async () => {
    const id = await send();
    await run(`open ${id} ${join(folder, id)} routine --as op@mail.example`);
    vi.useFakeTimers({ now: 0, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    await run(`approve ${id} fine --as op@mail.example`);
    const { rows } = await database.pool.query("select decided_at > created_at as later from verifications");
    expect(rows).toEqual([{ later: true }]);
  });

  test("can reject unseen only a verification whose key is lost, so that its owner may send again", async () => {
    const id = await send();
    const reject = `verification reject ${id} document_unreadable the key is lost --as op@mail.example`.split(" ");
    await expect(runVerificationCommand(database, OPTIONS, reject)).rejects.toThrow("Open it first");
    const other = { kycKey: Buffer.alloc(32, 9), formerKycKey: null, sandbox: false };
    await runVerificationCommand(database, other, reject);
    expect(await auditRows()).toMatchObject([{ action: "verification reject", after: { status: "REJECT" } }]);
    expect(await send()).not.toBe(id);
  });
});

test("the person is notified by mail, by the bot and in their browser, in their language, with the reason", async () => {
  await using bot = await BotApi.start();
  await using service = await PushService.start();
  const keys = webPush.generateVAPIDKeys();
  const services = { services: [], sandboxService: service.url };
  const subscriptions = createPushSubscriptions(database);
  const push = { sender: createPushSender({ keys, subject: "mailto:a@wherry.test", services }), subscriptions };
  await using mails = await new AccountMails(database, null, { bot, push }).start();
  const browser = service.subscribe(keys.publicKey);
  const { endpoint, keys: given } = browser;
  await subscriptions.addToSession(await session(), { endpoint, ...given, locale: "ru", expiresAt: null }, "withOrder");
  const id = await send();
  await run(`open ${id} ${join(folder, id)} routine --as op@mail.example`);
  await run(`reject ${id} face_unclear why --as op@mail.example`);
  await mails.subject("ann@mail.example", /^Subject: =\?UTF-8\?/im);
  const written = await eventually("the bot's message", () => bot.calls("sendMessage")[0] ?? null);
  expect(written).toMatchObject({ chat_id: "77", text: expect.stringMatching(/лицо плохо видно/) });
  const pushed = await eventually("the push", () => service.received(browser)[0] ?? null);
  expect(pushNotificationSchema.parse(JSON.parse(pushed.text))).toMatchObject({
    body: expect.stringMatching(/лицо плохо видно/),
    path: "/ru/profile/verification",
  });
});

async function session(): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into sessions (id, user_id, kind, created_at, last_used_at, authenticated_at, expires_at)
     values (gen_random_uuid(), $1, 'local', now(), now(), now(), now() + interval '1 day') returning id`,
    [userId],
  );
  return rows[0]?.id ?? "";
}
