import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { SmtpSink } from "../../../tests/support/services/smtp-sink.ts";
import type { Mail } from "../port.ts";
import { readSmtpUrl } from "./smtp-url.ts";
import { createSmtpMailer } from "./smtp.ts";

/** Long enough for a busy machine: a limit that ends before the server has answered says "refused" of any mail. */
const PATIENT = { connectMs: 10_000, idleMs: 10_000, totalMs: 20_000 };
/** For a server that says nothing: the silence ends the wait. */
const QUICK = { ...PATIENT, connectMs: 300 };
const QUICK_AFTER_THE_MAIL = { ...PATIENT, idleMs: 1_500 };
const never = new AbortController().signal;

let sink: SmtpSink;
beforeEach(async () => {
  sink = await new SmtpSink({ user: "bob", pass: "right" }).start();
});
afterEach(() => sink.stop());

const mailer = (login = "bob:right", limits = PATIENT) =>
  createSmtpMailer(readSmtpUrl(`smtp://${login}@127.0.0.1:${sink.port}`, "https://wherry.test"), limits);

const mail = (changes: Partial<Mail> = {}): Mail => ({
  messageId: "<one@wherry.test>",
  orderId: "A".repeat(24),
  locale: "en",
  to: "ann@example.com",
  subject: "Order 7KQ4",
  text: "hello\n.\nworld\n",
  html: "<p>hello</p>",
  ...changes,
});

describe("a mail over SMTP", () => {
  it("arrives complete, with one recipient and an id of its own", async () => {
    expect(await mailer().send(mail(), never)).toEqual({ kind: "accepted" });
    expect(sink.caught).toMatchObject([{ from: "no-reply@wherry.test", to: ["ann@example.com"] }]);
    const raw = sink.caught[0]?.raw ?? "";
    for (const line of [
      "Message-ID: <one@wherry.test>",
      "To: ann@example.com",
      "Subject: Order 7KQ4",
      "Auto-Submitted: auto-generated",
      "hello\r\n.\r\nworld",
      "<p>hello</p>",
    ])
      expect(raw).toContain(line);
  });

  it("carries text in any language", async () => {
    await mailer().send(mail({ locale: "ru", subject: "Заявка", text: "Привет" }), never);
    expect(sink.caught[0]?.raw).toContain(Buffer.from("Привет").toString("base64"));
    expect(sink.caught[0]?.raw).toContain("Content-Language: ru");
  });

  it.each([`a'"b`, "x\r\nBcc: thief@example.com", "Eve <eve@example.com>, thief"])(
    "goes to one recipient, whatever the subject and the address %j",
    async (hostile) => {
      await mailer().send(mail({ subject: hostile }), never);
      expect(sink.caught[0]?.to).toEqual(["ann@example.com"]);
      expect(sink.caught[0]?.raw).not.toMatch(/^Bcc:/m);
      await mailer().send(mail({ to: `ann@example.com\r\nRCPT TO:<thief@example.com>` }), never);
      expect(sink.caught.flatMap(({ to }) => to)).not.toContain("thief@example.com");
    },
  );

  it("with a wrong password is refused temporarily: the operator can fix that", async () => {
    const result = await mailer("bob:wrong").send(mail(), never);
    expect(result).toMatchObject({ kind: "refused", isFinal: false, reason: expect.stringContaining("535") });
    expect(JSON.stringify(result)).not.toMatch(/wrong|bob/);
  });

  it("to a server that is down is refused temporarily", async () => {
    await sink.stop();
    expect(await mailer().send(mail(), never)).toMatchObject({ kind: "refused", isFinal: false });
  });

  it("that is deferred with 451 is refused temporarily, and accepted later", async () => {
    sink.replies = [451];
    expect(await mailer().send(mail(), never)).toMatchObject({ kind: "refused", isFinal: false });
    expect(await mailer().send(mail(), never)).toEqual({ kind: "accepted" });
  });

  it("that is refused with 5xx is refused permanently, and the address is not in the reason", async () => {
    sink.replies = [554];
    expect(await mailer().send(mail(), never)).toMatchObject({ kind: "refused", isFinal: true });
    sink.unknownRecipients.add("ann@example.com");
    const result = await mailer().send(mail(), never);
    expect(result).toMatchObject({ kind: "refused", isFinal: true, reason: expect.stringContaining("550") });
    expect(JSON.stringify(result)).not.toContain("ann@");
  });

  it("to a server that never greets is refused in time", async () => {
    sink.isSilent = true;
    const from = performance.now();
    expect(await mailer("bob:right", QUICK).send(mail(), never)).toMatchObject({ kind: "refused", isFinal: false });
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  it.each(["hang", "accept-and-drop"] as const)(
    "has an unknown result when the response is lost (%s)",
    async (reply) => {
      sink.replies = [reply];
      expect(await mailer("bob:right", QUICK_AFTER_THE_MAIL).send(mail(), never)).toMatchObject({ kind: "unknown" });
      expect(sink.caught).toHaveLength(1);
    },
  );

  it("ends when the process stops", async () => {
    const stopping = new AbortController();
    sink.isSilent = true;
    const early = mailer().send(mail(), stopping.signal);
    stopping.abort();
    expect(await early).toEqual({ kind: "refused", isFinal: false, reason: "AbortError" });
    expect(await mailer().send(mail(), stopping.signal)).toMatchObject({ kind: "refused" });
  });

  it("that was submitted when the process stops has an unknown result", async () => {
    const stopping = new AbortController();
    sink.replies = ["hang"];
    const late = mailer().send(mail(), stopping.signal);
    await eventually("the mail is there", () => sink.caught[0] ?? null);
    stopping.abort();
    expect(await late).toEqual({ kind: "unknown", reason: "AbortError" });
  });
});
