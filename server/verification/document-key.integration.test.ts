import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { lockSignedIn } from "../accounts/index.ts";
import { signedInPerson } from "../../tests/support/services/signed-in-person.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { sampleForm } from "../../tests/support/http/verification-form.ts";
import { submitVerificationBodySchema } from "#contract/accounts/verification.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import { openDocumentKey } from "./index.ts";
import { runVerificationCommand } from "./operator.ts";
import { type DocumentKey, documentKey } from "./sealing.ts";
import { readDocuments } from "./store.ts";
import { createVerification } from "./verification.ts";

const KEY = Buffer.alloc(32, 7);
const OTHER = Buffer.alloc(32, 9);

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() =>
  database.pool.query("truncate users, operator_actions cascade; delete from settings where key = 'kyc_key'"),
);

const start = (kycKey: Buffer | null, sandbox = false) => openDocumentKey(database, { kycKey, sandbox });
const change = (kycKey: Buffer | null, formerKycKey: Buffer | null = null) =>
  runVerificationCommand(database, { kycKey, formerKycKey, sandbox: false }, "kyc-key moved --as ann".split(" "));

const verificationWith = (key: DocumentKey | null) =>
  createVerification({ database, clock: { now: () => new Date() }, lockSignedIn, key });

/** A check that was sent while web processes had this key. */
async function send(key: Buffer | null, sandbox = false): Promise<bigint> {
  const { rows } = await database.pool.query<{ id: string }>("insert into users (locale) values ('en') returning id");
  const verification = verificationWith(await start(key, sandbox));
  const form = submitVerificationBodySchema.parse(Object.fromEntries(await sampleForm()));
  const by = await signedInPerson(database, BigInt(rows[0]?.id ?? 0));
  await verification.submit(by, "192.0.2.1", async () => form);
  const { rows: checks } = await database.pool.query<{ id: string }>("select max(id) as id from verifications");
  return BigInt(checks[0]?.id ?? 0);
}

test("a start with another KYC_KEY than before is refused and says what to do", async () => {
  await send(KEY);
  await expect(start(OTHER)).rejects.toThrow(ConfigError);
  await expect(start(OTHER)).rejects.toThrow(/^KYC_KEY is not the key .*npm run admin -- kyc-key/);
  await expect(start(null, true)).rejects.toThrow(/^KYC_KEY is missing/);
  expect((await start(KEY))?.id).toBe(documentKey(KEY).id);
});

test("a start of a database that remembers no key goes by what is sealed", async () => {
  const id = await send(KEY);
  for (const wrong of [OTHER, null]) {
    await database.pool.query("delete from settings where key = 'kyc_key'");
    await expect(start(wrong, wrong === null)).rejects.toThrow(ConfigError);
  }
  expect((await start(KEY))?.id).toBe(documentKey(KEY).id);
  expect(await readDocuments(database.kysely, id, documentKey(KEY))).toMatchObject({ kind: "readable" });
});

test("KYC_KEY takes the place of the sandbox's own once nothing is sealed with that", async () => {
  await start(null, true);
  expect((await start(KEY, true))?.id).toBe(documentKey(KEY).id);
  await database.pool.query("delete from settings where key = 'kyc_key'");
  await send(null, true);
  await expect(start(KEY, true)).rejects.toThrow(/^KYC_KEY is not the key/);
});

test.each([
  ["the sandbox's own", null],
  ["a configured one", OTHER],
])("the command that changes the key from %s seals all anew", async (_, former) => {
  const id = await send(former, former === null);
  expect(await change(KEY, former)).toMatch(/^4 documents are sealed with KYC_KEY\. 0 can't be read/);
  await expect(start(OTHER)).rejects.toThrow(ConfigError);
  const stored = await readDocuments(database.kysely, id, await start(KEY));
  expect(stored).toMatchObject({ kind: "readable", documents: { form: { firstName: "Marit" } } });
  const { rows } = await database.pool.query("select operator, action from operator_actions");
  expect(rows).toEqual([{ operator: "ann", action: "kyc-key" }]);
});

test("the command counts what it can't read, and needs the new key", async () => {
  await send(OTHER);
  await expect(change(null)).rejects.toThrow("Set KYC_KEY");
  expect(await change(KEY)).toMatch(/^0 documents .* 4 can't be read/);
  expect((await start(KEY))?.id).toBe(documentKey(KEY).id);
});

test("whose documents nobody can read any more still takes their data along", async () => {
  await send(OTHER);
  await change(KEY);
  const { rows } = await database.pool.query<{ id: bigint }>("select id from users");
  const verification = verificationWith(await start(KEY));
  const [exported] = await verification.exportOf(BigInt(rows[0]?.id ?? 0));
  expect(exported).toMatchObject({
    status: "CREATED",
    documents: "unreadable",
    form: null,
    photos: ["front", "back", "face"],
  });
});

test("a web process with another key ends with that text", { timeout: 60_000 }, async () => {
  await send(KEY);
  const DATA_DIR = mkdtempSync(join(tmpdir(), "wherry-kyc-key-"));
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url, DATA_DIR, ROLES: "web", SANDBOX: "on" };
  const web = promisify(execFile)(process.execPath, ["server/main.ts"], {
    env: { ...env, LOG_LEVEL: "silent", KYC_KEY: OTHER.toString("hex") },
    timeout: 50_000,
  });
  await expect(web).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("KYC_KEY is not the key") });
});
