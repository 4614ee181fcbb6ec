import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import * as z from "zod";
import type { Mail, Mailer, DeliveryResult } from "../port.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** `totalMs` is shorter than the lease of a row, so that two workers never send the same one. */
const LIMITS: SmtpLimits = { connectMs: 10_000, idleMs: 15_000, totalMs: 30_000 };

const SENDER_NAME = "Wherry";

/** Nobody answers these by a program of their own. */
const OF_A_PROGRAM = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };

/** Sends over SMTP. */
export function createSmtpMailer(server: SmtpServer, limits: SmtpLimits = LIMITS): Mailer {
  return {
    async send(mail, signal) {
      const message = await compose(mail, server.from);
      const submission = await submitMail(server, limits, { to: mail.to, message }, signal);
      return submission.isAccepted ? { kind: "accepted" } : resultOf(submission.error, submission.wasSubmitted);
    },
  };
}

/** Addresses are passed as objects, never parsed out of a header line. */
function compose(mail: Mail, from: string): Promise<Buffer> {
  return new MailComposer({
    from: { name: SENDER_NAME, address: from },
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    ...(mail.replyTo !== undefined && { replyTo: { name: "", address: mail.replyTo } }),
    ...(mail.attachment && {
      attachments: [
        {
          filename: mail.attachment.name,
          contentType: mail.attachment.type,
          content: Buffer.from(mail.attachment.content),
        },
      ],
    }),
    headers: { ...(mail.replyTo === undefined && OF_A_PROGRAM), "Content-Language": mail.locale },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

// An aborted wait has a number as its code.
const failureSchema = z.object({
  name: z.string().optional(),
  code: z.union([z.string(), z.number().transform(() => undefined)]).optional(),
  command: z.string().optional(),
  responseCode: z.int().optional(),
});

/**
 * What a failed delivery means. A response of the server is certain. Without one, a mail that was not submitted whole was not accepted;
 * one that was may have been. Neither the server's text nor an address is stored: they may name a person.
 */
function resultOf(error: unknown, wasSubmitted: boolean): DeliveryResult {
  const { name, code, command, responseCode } = failureSchema.safeParse(error).data ?? {};
  const reason = [code ?? name, command, responseCode].filter((part) => part !== undefined).join(" ");
  if (responseCode === undefined && wasSubmitted) return { kind: "unknown", reason };
  // A refused recipient or mail is final; a refused log-in or sender is for the operator to fix.
  const isAboutMail = command === "RCPT TO" || command === "DATA";
  const isFinal = responseCode === undefined ? code === "EENVELOPE" : responseCode >= 500 && isAboutMail;
  return { kind: "refused", isFinal, reason };
}

export type SmtpLimits = { connectMs: number; idleMs: number; totalMs: number };

type SubmissionResult = { isAccepted: true } | { isAccepted: false; error: unknown; wasSubmitted: boolean };

/**
 * One connection for one mail; every wait has a time limit, and `signal` ends them all. `wasSubmitted` is true once the whole mail was
 * written to the connection: the server may have accepted it although no response came.
 */
async function submitMail(
  server: SmtpServer,
  limits: SmtpLimits,
  mail: { to: string; message: Buffer },
  signal: AbortSignal,
): Promise<SubmissionResult> {
  const { from, auth, ...host } = server;
  const connection = new SMTPConnection({
    ...host,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.idleMs,
  });
  // It is read only once the server has asked for the mail itself.
  const body = Readable.from([mail.message]);
  const ended = abortOf(connection, AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]));
  try {
    await Promise.race([ended.failure, sendOver(connection, auth, { from, to: [mail.to] }, body)]);
    return { isAccepted: true };
  } catch (error) {
    return { isAccepted: false, error, wasSubmitted: body.readableEnded };
  } finally {
    ended.release();
    connection.close();
  }
}

async function sendOver(
  connection: SMTPConnection,
  auth: SmtpServer["auth"],
  envelope: { from: string; to: string[] },
  body: Readable,
): Promise<void> {
  await waitFor((done) => connection.connect(done));
  if (auth !== null && connection.allowsAuth) await waitFor((done) => connection.login(auth, done));
  await waitFor((done) => connection.send(envelope, body, done));
}

function waitFor(ask: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => ask((error) => (error ? reject(error) : resolve())));
}

/** Rejects when the connection fails or the time is over. */
function abortOf(connection: SMTPConnection, signal: AbortSignal) {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  connection.on("error", reject);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return { failure, release: () => signal.removeEventListener("abort", abort) };
}
