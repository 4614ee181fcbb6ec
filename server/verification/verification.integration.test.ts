import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import sharp from "sharp";
import { calls } from "#contract/calls.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { DOCUMENT_KEY, PUBLIC_URL, testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { encodeForm, sampleForm, samplePhoto } from "../../tests/support/http/verification-form.ts";
import { createLog } from "../base/logging/log.ts";
import { deleteDocumentsAfter } from "./retention.ts";
import { documentKey } from "./sealing.ts";
import { type Documents, readDocuments } from "./store.ts";

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty("users", "sessions", "failed_attempts");
  app = await testApp(database);
  return () => app.close();
});

const PASSWORD = "a long enough phrase";

async function signedIn(name = "ann"): Promise<AccountBrowser> {
  const browser = new AccountBrowser(app);
  const email = `${name}@mail.example`;
  await browser.send("createLocal", { email, password: PASSWORD });
  await browser.send("authenticateLocal", { email, password: PASSWORD });
  return browser;
}

async function submit(browser: AccountBrowser, form: FormData) {
  const { payload, contentType } = await encodeForm(form);
  return post(browser, payload, { "content-type": contentType });
}

async function post(browser: AccountBrowser, payload: Buffer | string, headers: Record<string, string>) {
  const access = browser.cookie("access");
  const answer = await app.inject({
    method: "POST",
    url: calls.submitVerification.path,
    headers: { origin: PUBLIC_URL, ...(access !== undefined && { cookie: `access=${access}` }), ...headers },
    payload,
  });
  return { http: answer.statusCode, body: answer.json<Record<string, unknown>>(), headers: answer.headers };
}

const decideAll = (status: "PASS" | "REJECT") =>
  database.pool.query(
    "update verifications set status = $1, decided_at = $2, reject_reason = case when $1 = 'REJECT' then 'face_differs' end",
    [status, app.market.now],
  );

const onlyCheck = async () => {
  const { rows } = await database.pool.query<{ id: bigint }>("select id from verifications");
  expect(rows).toHaveLength(1);
  return rows[0]?.id ?? 0n;
};

async function storedDocuments(): Promise<Documents> {
  const stored = await readDocuments(database.kysely, await onlyCheck(), DOCUMENT_KEY);
  if (stored.kind !== "readable") throw new Error(`the documents are ${stored.kind}`);
  return stored.documents;
}

describe("a person", () => {
  test("sends the form once, and again only after a refusal", async () => {
    const ann = await signedIn();
    expect(await ann.send("verificationStatus")).toMatchObject({
      http: 200,
      body: { status: "NOT_STARTED", rejectReason: null },
    });

    expect(await submit(ann, await sampleForm())).toMatchObject({
      http: 200,
      body: { status: "CREATED", rejectReason: null },
    });
    expect(await submit(ann, await sampleForm())).toMatchObject({
      http: 422,
      body: { status: "ERR_UNPROCESSABLE_ENTITY" },
    });

    await decideAll("REJECT");
    expect(await ann.send("verificationStatus")).toMatchObject({
      body: { status: "REJECT", rejectReason: "face_differs" },
    });
    expect(await submit(ann, await sampleForm())).toMatchObject({ http: 200, body: { status: "CREATED" } });
    await database.pool.query("update verifications set status = 'PASS', decided_at = now() where status = 'CREATED'");
    expect(await submit(ann, await sampleForm())).toMatchObject({ http: 422 });
  });

  test("is checked once, however many forms come at the same time", async () => {
    const ann = await signedIn();
    const form = await sampleForm();
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(ann, form)));
    expect(answers.map(({ http }) => http).toSorted((one, other) => one - other)).toEqual([200, 422, 422, 422, 422]);
    await onlyCheck();
  });

  test("has to sign in, and sees nothing of anybody else's check", async () => {
    const guest = new AccountBrowser(app);
    expect(await submit(guest, await sampleForm())).toMatchObject({ http: 401 });
    expect(await guest.send("verificationStatus")).toMatchObject({ http: 401 });
    await submit(await signedIn("ann"), await sampleForm());
    expect(await (await signedIn("bob")).send("verificationStatus")).toMatchObject({ body: { status: "NOT_STARTED" } });
  });

  test("may try twenty times a day, refused forms included", async () => {
    const ann = await signedIn();
    const form = await sampleForm({ facePhoto: Buffer.from("no photo") });
    for (let at = 0; at < 20; at += 1) expect(await submit(ann, form)).toMatchObject({ http: 400 });
    const refused = await submit(ann, await sampleForm());
    expect(refused).toMatchObject({ http: 429, body: { status: "ERR_BAD_REQUEST" } });
    expect(refused.headers["retry-after"]).toBeDefined();
    app.market.advance(86_400);
    await ann.send("authenticateLocal", { email: "ann@mail.example", password: PASSWORD });
    expect(await submit(ann, await sampleForm())).toMatchObject({ http: 200 });
  });
});

describe("documents, which stay until an operator decides,", () => {
  const others = (count: number, client: string) =>
    database.pool.query(
      `with people as (insert into users (created_at) select now() from generate_series(1, $1::int) returning id)
       insert into verifications (user_id, client_hash, status, created_at)
         select id, ${client}, 'CREATED', (select max(created_at) from verifications) from people`,
      [count],
    );

  test("are of a hundred checks a day of one client, whatever accounts it makes, and of two thousand in all", async () => {
    expect(await submit(await signedIn("ann"), await sampleForm())).toMatchObject({ http: 200 });
    await others(99, "(select client_hash from verifications limit 1)");
    const bob = await signedIn("bob");
    expect(await submit(bob, await sampleForm())).toMatchObject({ http: 429 });
    app.market.advance(86_400);
    await bob.send("authenticateLocal", { email: "bob@mail.example", password: PASSWORD });
    await others(1_900, "''");
    expect(await submit(bob, await sampleForm())).toMatchObject({ http: 503 });
    await database.pool.query("delete from verifications where client_hash = ''");
    expect(await submit(bob, await sampleForm())).toMatchObject({ http: 200 });
  });
});

describe("the form", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["without a name", { firstName: " " }, "firstName"],
    ["with a name that is none", { lastName: "<b>" }, "lastName"],
    ["of no country", { issueCountry: "Norway" }, "issueCountry"],
    ["of no day", { birthDate: "1990-02-31" }, "birthDate"],
    ["of another document", { identityType: "library" }, "identityType"],
    ["without a number", { identityNumber: null }, "identityNumber"],
    ["without a face", { facePhoto: null }, "facePhoto"],
    ["without the back of a card", { backendPhoto: null }, "backendPhoto"],
    ["with a text for a photo", { frontPhoto: "hello" }, "frontPhoto"],
  ])("%s is refused at its field", async (_, changes, field) => {
    const answer = await submit(await signedIn(), await sampleForm(changes));
    expect(answer).toMatchObject({ http: 400, body: { status: "ERR_VALIDATION" } });
    expect(Object.keys(answer.body["data"] ?? {})).toEqual([field]);
  });

  test("of a passport needs no back, and a document without an end none", async () => {
    const form = await sampleForm({ identityType: "passport", backendPhoto: null, expireDate: null });
    expect(await submit(await signedIn(), form)).toMatchObject({ http: 200 });
    const documents = await storedDocuments();
    expect(documents.form.expireDate).toBe("2099-01-01");
    expect([...documents.photos.keys()]).toEqual(["front", "face"]);
  });

  test("is a form: not JSON, not two fields of a name, not cut off, and from our own pages", async () => {
    const ann = await signedIn();
    expect(await post(ann, "{}", { "content-type": "application/json" })).toMatchObject({ http: 415 });
    expect(await post(ann, "x", { "content-type": "text/plain" })).toMatchObject({ http: 415 });
    const twice = await sampleForm();
    twice.append("firstName", "Other");
    expect(await submit(ann, twice)).toMatchObject({ http: 400, body: { status: "ERR_BAD_REQUEST" } });
    const { payload, contentType } = await encodeForm(await sampleForm());
    const cut = payload.subarray(0, payload.length / 2);
    expect(await post(ann, cut, { "content-type": contentType })).toMatchObject({ http: 400 });
    const elsewhere = { "content-type": contentType, origin: "https://evil.test" };
    expect(await post(ann, payload, elsewhere)).toMatchObject({ http: 403 });
    expect((await database.pool.query("select from verifications")).rowCount).toBe(0);
  });

  test("holds no more than it may", async () => {
    const ann = await signedIn();
    const large = await submit(ann, await sampleForm({ facePhoto: Buffer.alloc(10 * 1024 * 1024 + 1, 1) }));
    expect(large).toMatchObject({ http: 413, body: { status: "ERR_BAD_REQUEST", data: { facePhoto: "size" } } });
    const many = await sampleForm();
    for (let at = 0; at < 30; at += 1) many.set(`more${at}`, "x");
    expect(await submit(ann, many)).toMatchObject({ http: 413 });
    expect(await submit(ann, await sampleForm({ firstName: "a".repeat(5_000) }))).toMatchObject({ http: 400 });
  });
});

describe("a photo", () => {
  test.each(["jpeg", "png", "webp"] as const)("is taken as %s, whatever its name says", async (format) => {
    const form = await sampleForm({ facePhoto: await samplePhoto(format) });
    expect(await submit(await signedIn(), form)).toMatchObject({ http: 200 });
  });

  test("is stored encoded anew: upright, at most 2,400 pixels long, without metadata", async () => {
    const sent = await sharp({ create: { width: 3_000, height: 1_500, channels: 3, background: "#a57" } })
      .withExif({ IFD0: { Copyright: "the owner" }, IFD3: { GPSLatitude: "59/1 54/1 0/1", GPSLatitudeRef: "N" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(sent).metadata()).exif).toBeDefined();
    await submit(await signedIn(), await sampleForm({ facePhoto: sent }));
    const stored = (await storedDocuments()).photos.get("face") ?? Buffer.alloc(0);
    const { format, width, height, exif, icc, xmp, orientation } = await sharp(stored).metadata();
    expect({ format, width, height }).toEqual({ format: "jpeg", width: 1_200, height: 2_400 });
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined]);
  });

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ["SVG", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), "format"],
    ["HTML", () => Buffer.from("<!doctype html><script>alert(1)</script>"), "format"],
    ["PDF", () => Buffer.from("%PDF-1.7\n%%EOF"), "format"],
    ["GIF", () => Buffer.from("GIF89a\u0001\u0000\u0001\u0000"), "format"],
    ["half a photo", async () => (await samplePhoto()).subarray(0, 900), "broken"],
    ["the head of a PNG alone", async () => (await samplePhoto("png")).subarray(0, 60), "broken"],
  ])("that is %s is refused at its field", async (_, make, problem) => {
    const answer = await submit(await signedIn(), await sampleForm({ frontPhoto: await make() }));
    expect(answer).toMatchObject({ http: 400, body: { status: "ERR_VALIDATION", data: { frontPhoto: problem } } });
  });
});

describe("what is stored", () => {
  test("can't be read without the key, in another place, or after a change", async () => {
    await submit(await signedIn(), await sampleForm());
    const id = await onlyCheck();
    const { rows } = await database.pool.query<{ sealed: Buffer }>("select sealed from verification_documents");
    for (const { sealed } of rows) {
      expect(sealed.includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false);
      expect(sealed.includes(Buffer.from("Marit"))).toBe(false);
    }
    const other = documentKey(Buffer.alloc(32, 8));
    expect(await readDocuments(database.kysely, id, other)).toMatchObject({ kind: "unreadable" });
    await expect(readDocuments(database.kysely, id, { ...other, id: DOCUMENT_KEY.id })).rejects.toThrow();
    await database.pool.query(
      `update verification_documents d set sealed = o.sealed from verification_documents o where d.kind = 'face' and o.kind = 'front'`,
    );
    await expect(readDocuments(database.kysely, id, DOCUMENT_KEY)).rejects.toThrow();
    await database.pool.query(
      "update verification_documents set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))",
    );
    await expect(readDocuments(database.kysely, id, DOCUMENT_KEY)).rejects.toThrow();
  });

  test("is deleted so many days after the decision, and the decision stays", async () => {
    const ann = await signedIn();
    await submit(ann, await sampleForm());
    const prune = () =>
      deleteDocumentsAfter({ database, clock: { now: () => app.market.now }, log: createLog({ level: "silent" }) }, 30);
    const documents = async () => (await database.pool.query("select from verification_documents")).rowCount;
    app.market.advance(90 * 86_400);
    await prune();
    expect(await documents()).toBe(4);
    await decideAll("PASS");
    app.market.advance(30 * 86_400);
    await prune();
    expect(await documents()).toBe(4);
    app.market.advance(1);
    await prune();
    expect(await documents()).toBe(0);
    const { rows } = await database.pool.query("select status from verifications");
    expect(rows).toEqual([{ status: "PASS" }]);
  });

  test("goes along in the export without photos, and goes with the account", async () => {
    const ann = await signedIn();
    await submit(ann, await sampleForm());
    const { body } = await ann.send("exportAccount");
    expect(body["verifications"]).toMatchObject([
      { status: "CREATED", form: { firstName: "Marit" }, photos: ["front", "back", "face"] },
    ]);
    expect(await ann.send("deleteAccount")).toMatchObject({ http: 200 });
    expect((await database.pool.query("select from verifications")).rowCount).toBe(0);
    expect((await database.pool.query("select from verification_documents")).rowCount).toBe(0);
  });
});
