import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { PUBLIC_URL, testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { SmtpSink } from "../../../tests/support/services/smtp-sink.ts";
import { encodeForm, samplePhoto } from "../../../tests/support/http/verification-form.ts";
import { createLog } from "../../base/logging/log.ts";
import { readSmtpUrl } from "../mail/smtp-url.ts";
import { createSmtpMailer } from "../mail/smtp.ts";
import { createInquiries } from "./inquiries.ts";
import { sendInquiries } from "./sender.ts";

const OPERATOR = "operator@wherry.test";
const log = createLog({ level: "silent" });
const running = new AbortController().signal;

let database: TestDatabase;
let sink: SmtpSink;
let app: TestApp;
/** What workers do once a message waits; a test may take them away. */
let hasWorker = true;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  hasWorker = true;
  sink = await new SmtpSink().start();
  const quick = { connectMs: 300, idleMs: 300, totalMs: 1_000 };
  const mailer = createSmtpMailer(readSmtpUrl(`smtp://127.0.0.1:${sink.port}`, PUBLIC_URL), quick);
  const work = () => sendInquiries({ database, mailer, publicUrl: PUBLIC_URL, log }, running);
  const onQueued = () => void (hasWorker && work());
  app = await testApp(database, {
    inquiries: createInquiries({ database, operatorEmail: OPERATOR, onQueued, log, waitMs: 2_000 }),
  });
});
afterEach(async () => {
  await database.empty("inquiries");
  await app.close();
  await sink.stop();
});

const QUESTION = {
  email: "ann@mail.example",
  reference: "7kq4 m2xd",
  message: "Where is my order?\nI paid.",
  locale: "ru",
};

async function post(url: string, payload: object | Buffer, contentType?: string, remoteAddress = "192.0.2.1") {
  const headers = { origin: PUBLIC_URL, ...(contentType !== undefined && { "content-type": contentType }) };
  const answer = await app.inject({ method: "POST", url, payload, headers, remoteAddress });
  return { http: answer.statusCode, body: answer.json<Record<string, unknown>>(), headers: answer.headers };
}
const ask = (changes: object = {}, from?: string) =>
  post(calls.contact.path, { ...QUESTION, ...changes }, undefined, from);

async function request(file: Uint8Array<ArrayBuffer> | string, changes: Record<string, string> = {}) {
  const form = new FormData();
  const facts = { authority: "Police of Oslo", officer: "A. Lund", email: "lund@police.example", locale: "en" };
  for (const [name, value] of Object.entries({ ...facts, message: "All of order 7KQ4-M2XD.", ...changes }))
    form.set(name, value);
  form.set("file", new Blob([file]), '../../"evil".html');
  const { payload, contentType } = await encodeForm(form);
  return post(calls.authorityRequest.path, payload, contentType);
}

const stored = async () =>
  (
    await database.pool.query<{ state: string; mail: unknown; file: unknown }>(
      "select state, mail, file from inquiries",
    )
  ).rows;
const mailed = () => sink.caught[0]?.raw ?? "";
const decoded = () =>
  Array.from(mailed().matchAll(/\r\n\r\n([A-Za-z0-9+/=\r\n]{16,}?)\r\n(?:\r\n|--)/g), ([, text = ""]) =>
    Buffer.from(text, "base64").toString(),
  ).join("\n") +
  mailed() +
  unquoted();
/** Of the quoted-printable parts. */
const unquoted = () =>
  Buffer.from(
    mailed()
      .replaceAll("=\r\n", "")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();
const PDF = "%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\n%%EOF\n";

describe("a question to the operator", () => {
  it("is mailed with its order and its language, and can be answered", async () => {
    const { http, body } = await ask();
    expect(http).toBe(201);
    expect(sink.caught).toMatchObject([{ to: [OPERATOR] }]);
    expect(mailed()).toContain("Reply-To: ann@mail.example");
    expect(mailed()).not.toContain("Auto-Submitted");
    for (const text of [String(body["reference"]), "7KQ4-M2XD", "русский", "Where is my order?", "I paid."])
      expect(decoded()).toContain(text);
  });

  it("has what is not seen in it written out, and emoji and scripts as they are", async () => {
    await ask({ message: "Pay \u202Eeb\u202C now\u200B\u{E0041}, 👩🏽‍🚀 می‌خواهم" });
    expect(decoded()).toContain("Pay ⟨U+202E⟩eb⟨U+202C⟩ now⟨U+200B⟩⟨U+E0041⟩, 👩🏽‍🚀 می‌خواهم");
  });

  it("leaves nothing of what it says", async () => {
    await ask();
    expect(await stored()).toEqual([{ state: "sent", mail: null, file: null }]);
  });

  it.each([
    ["that is deferred", 451],
    ["that is refused", 554],
  ])("%s fails, says so, and is not tried again", async (_, reply) => {
    sink.replies = [reply];
    const { http, body } = await ask();
    expect([http, body]).toEqual([
      503,
      expect.objectContaining({ status: "ERR_SERVICE_UNAVAILABLE", data: { delivery: "failed" } }),
    ]);
    expect(await stored()).toEqual([{ state: "failed", mail: null, file: null }]);
  });

  it("to a server that is down fails", async () => {
    await sink.stop();
    expect(await ask()).toMatchObject({ http: 503, body: { data: { delivery: "failed" } } });
  });

  it("that was sent without an answer is of unknown result", async () => {
    sink.replies = ["accept-and-drop"];
    expect(await ask()).toMatchObject({ http: 503, body: { data: { delivery: "unknown" } } });
  });

  it("that no worker takes fails, and is not mailed after that", async () => {
    hasWorker = false;
    expect(await ask()).toMatchObject({ http: 503, body: { data: { delivery: "failed" } } });
    hasWorker = true;
    await ask({ message: "Another question" });
    expect(sink.caught).toHaveLength(1);
    expect(decoded()).not.toContain("Where is my order?");
  });

  it("can be sent ten times an hour by one client, and others still can", async () => {
    for (let n = 0; n < 10; n++) expect((await ask()).http).toBe(201);
    const { http, headers } = await ask();
    expect([http, headers["retry-after"]]).toEqual([429, "3600"]);
    expect((await ask({}, "192.0.2.2")).http).toBe(201);
    await database.pool.query("update inquiries set created_at = now() - interval '61 minutes'");
    expect((await ask()).http).toBe(201);
  });

  it.each([
    ["no email", { email: "ann" }],
    ["two emails", { email: "ann@mail.example, eve@mail.example" }],
    ["another line in the email", { email: "ann@mail.example\r\nBcc: eve@mail.example" }],
    ["a wrong number of an order", { reference: "7KQ4" }],
    ["too short a text", { message: "  hello  " }],
    ["too long a text", { message: "x".repeat(4_001) }],
    ["a control character", { message: "Where is my order?\u0000" }],
    ["half a character", { message: "Where is my order? \ud800" }],
    ["an unknown language", { locale: "de" }],
  ])("with %s is refused, and not counted", async (_, changes) => {
    expect(await ask(changes)).toMatchObject({ http: 400, body: { status: "ERR_VALIDATION" } });
    expect(await stored()).toEqual([]);
  });

  it("from another site is refused", async () => {
    const headers = { origin: "https://evil.example" };
    const answer = await app.inject({ method: "POST", url: calls.contact.path, payload: QUESTION, headers });
    expect(answer.statusCode).toBe(403);
  });
});

describe("a request of an authority", () => {
  it("is mailed with its PDF as it was signed, under a name of ours", async () => {
    const { http, body } = await request(PDF);
    expect(http).toBe(201);
    expect(mailed()).toContain(`filename=request-${String(body["reference"])}.pdf`);
    expect(mailed()).not.toContain("evil");
    expect(decoded()).toContain(PDF);
    for (const text of ["Police of Oslo", "A. Lund", "Nobody has checked who wrote this"])
      expect(decoded()).toContain(text);
    expect(await stored()).toEqual([{ state: "sent", mail: null, file: null }]);
  });

  it("has what is not seen in its names written out", async () => {
    await request(PDF, { authority: "Police \u202Eolso", officer: "A.\u2066 \u3164Lund" });
    for (const text of ["Police ⟨U+202E⟩olso", "A.⟨U+2066⟩ ⟨U+3164⟩Lund"]) expect(decoded()).toContain(text);
  });

  it("with a photo is mailed encoded anew", async () => {
    const photo = Buffer.concat([await samplePhoto(), Buffer.from("<script>alert(1)</script>")]);
    expect((await request(Uint8Array.from(photo))).http).toBe(201);
    expect(mailed()).toMatch(/filename=request-\S+\.jpg/);
    expect(decoded()).not.toContain("<script>");
  });

  it.each([
    ["a page", "<!doctype html><script>alert(1)</script>", "format"],
    ["a picture of instructions", "<svg xmlns='http://www.w3.org/2000/svg'/>", "format"],
    ["an archive", "PK\u0003\u0004word/document.xml", "format"],
    ["a PDF below other bytes", `GIF89a${PDF}`, "format"],
    ["half a PDF", "%PDF-1.7\n1 0 obj", "broken"],
    [
      "a PDF with a script",
      PDF.replace("/Type", "/OpenAction << /S /JavaScript /JS (app.alert(1)) >> /Type"),
      "active",
    ],
    ["a PDF with a script under another spelling", PDF.replace("/Type", "/S /#4aava#53cript /Type"), "active"],
    ["a PDF that starts a program", PDF.replace("/Type", "/S/Launch/Type"), "active"],
    ["a PDF that opens a site", PDF.replace("/Type", "/OpenAction<</S/URI/URI(https://evil.example)>>/Type"), "active"],
    ["a PDF with a file inside", PDF.replace("/Type", "/EmbeddedFiles 2 0 R /Type"), "active"],
    ["nothing in its file", "", "missing"],
    ["more than 5 MB", `%PDF-${"x".repeat(5 * 1024 * 1024)}%%EOF`, "size"],
  ])("with %s is refused at its file", async (_, file, problem) => {
    expect(await request(file)).toMatchObject({
      http: 400,
      body: { status: "ERR_VALIDATION", data: { file: problem } },
    });
    expect(sink.caught).toEqual([]);
  });

  it("with another line in the authority's name is refused", async () => {
    expect(await request(PDF, { authority: "Police\r\nBcc: eve@mail.example" })).toMatchObject({ http: 400 });
  });

  it("is counted before its file is read", async () => {
    for (let n = 0; n < 10; n++) await request("no file");
    expect((await request(PDF)).http).toBe(429);
  });

  it("that is refused at its form closes neither form to others, however many come", async () => {
    await database.pool.query(`insert into inquiries (reference, client_hash, form)
      select 'R' || n, decode(to_hex(n), 'escape'), 'authority' from generate_series(1, 500) n`);
    await post(calls.authorityRequest.path, {});
    expect((await ask()).http).toBe(201);
    expect((await request(PDF)).http).toBe(201);
  });

  it.each(["contact", "authority"])("has a number of all an hour of its own: those of %s are over", async (form) => {
    await database.pool.query(
      `insert into inquiries (reference, client_hash, form, state)
      select 'R' || n, decode(to_hex(n), 'escape'), $1, 'sent' from generate_series(1, 500) n`,
      [form],
    );
    expect([(await ask()).http, (await request(PDF)).http]).toEqual(form === "contact" ? [429, 201] : [201, 429]);
  });

  it("of one network keeps nobody else's waiting, from however many addresses its files come", async () => {
    const inquiries = createInquiries({ database, operatorEmail: OPERATOR, onQueued: () => undefined, log, waitMs: 0 });
    const slow = Promise.withResolvers<never>();
    const of = (n: number) => ({ key: `2001:db8:7:${n}::`, network: "2001:db8:7::/48" });
    const all = Array.from({ length: 8 }, (_, n) => inquiries.authority(of(n), () => slow.promise));
    const isRead = Promise.withResolvers<void>();
    const other = inquiries.authority({ key: "203.0.113.7" }, () => {
      isRead.resolve();
      return slow.promise;
    });
    await isRead.promise;
    slow.reject(new Error("the client left"));
    expect((await Promise.allSettled([...all, other])).map(({ status }) => status)).not.toContain("fulfilled");
  });

  it("waits for no question, and none for it, while many are being sent", async () => {
    hasWorker = false;
    const many = Array.from({ length: 8 }, (_, n) => ask({}, `198.51.100.${n}`));
    await expect.poll(async () => (await stored()).filter(({ state }) => state === "pending").length).toBe(8);
    const began = performance.now();
    const late = request(PDF);
    await expect.poll(async () => (await stored()).filter(({ state }) => state === "pending").length).toBe(9);
    expect(performance.now() - began).toBeLessThan(1_500);
    await Promise.all([...many, late]);
  });
});

describe("an hour's messages", () => {
  const sent = (count: number, { client = "n", block = null as string | null, age = "1 minute" } = {}) =>
    database.pool.query(
      `insert into inquiries (reference, client_hash, block_hash, state, created_at)
      select $2 || n, sha256(convert_to(case $2 when 'n' then 'client ' || n else $2 end, 'UTF8')), sha256(convert_to($3, 'UTF8')), 'sent',
        now() - $4::interval from generate_series(1, $1) n`,
      [count, client, block, age],
    );

  it("leave a quarter to those who have sent none for a day", async () => {
    await sent(375);
    await sent(1, { client: "192.0.2.1", age: "23 hours" });
    expect([(await ask({}, "192.0.2.1")).http, (await ask({}, "192.0.2.2")).http]).toEqual([429, 201]);
    expect((await ask({}, "192.0.2.2")).http).toBe(429);
    await sent(124, { client: "more" });
    expect((await ask({}, "192.0.2.3")).http).toBe(429);
  });

  it("count those of an IPv6 network as one's", async () => {
    await sent(375);
    expect((await ask({}, "2001:db8:7:1::1")).http).toBe(201);
    expect((await ask({}, "2001:db8:7:2::1")).http).toBe(429);
    expect((await ask({}, "2001:db8:8:2::1")).http).toBe(201);
  });

  it.each([
    ["192.0.0.0/16", "192.0.2.1", "198.51.100.1"],
    ["2001:db8::/32", "2001:db8:7::1", "2001:db9:7::1"],
  ])("are a fifth of one block's addresses: %s", async (block, inside, outside) => {
    await sent(100, { block });
    expect([(await ask({}, inside)).http, (await ask({}, outside)).http]).toEqual([429, 201]);
  });
});

it("where nobody reads them, a message is refused at once", async () => {
  const closed = createInquiries({ database, operatorEmail: null, onQueued: () => undefined, log });
  const client = { key: "test" };
  await expect(closed.contact(client, { ...QUESTION, locale: "ru" })).rejects.toMatchObject({ httpStatus: 503 });
});

it("a message of a worker that died is deleted after an hour, and every row after a day", async () => {
  await database.pool.query(`insert into inquiries (reference, client_hash, state, mail, created_at) values
    ('A', '', 'sending', '{}', now() - interval '61 minutes'), ('B', '', 'sent', null, now() - interval '25 hours')`);
  await createInquiries({ database, operatorEmail: null, onQueued: () => undefined, log }).prune();
  expect(await stored()).toEqual([{ state: "unknown", mail: null, file: null }]);
});
