import MailComposer from "nodemailer/lib/mail-composer";
import * as z from "zod";
import type { Mail, Mailer, Outcome } from "../port.ts";
import { handOver, type SmtpLimits } from "./smtp-session.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** `wholeMs` is shorter than the lease of a row, so that two workers never send the same one. */
const LIMITS: SmtpLimits = { connectMs: 10_000, silenceMs: 15_000, wholeMs: 30_000 };

const SENDER_NAME = "Wherry";

/** Sends over SMTP. */
export function createSmtpMailer(server: SmtpServer, limits: SmtpLimits = LIMITS): Mailer {
  return {
    async send(mail, signal) {
      const message = await compose(mail, server.from);
      const handover = await handOver(server, limits, { to: mail.to, message }, signal);
      return handover.isTaken ? { kind: "accepted" } : outcomeOf(handover.error, handover.wasHandedOver);
    },
  };
}

/** Addresses are given as they are, never parsed out of a line. */
function compose(mail: Mail, from: string): Promise<Buffer> {
  return new MailComposer({
    from: { name: SENDER_NAME, address: from },
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All", "Content-Language": mail.locale },
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
 * What a failed sending means. An answer of the server is certain. Without one, a mail that was not handed over whole was not taken;
 * one that was may have been. Neither the server's words nor an address is kept: they may name a person.
 */
function outcomeOf(error: unknown, wasHandedOver: boolean): Outcome {
  const { name, code, command, responseCode } = failureSchema.safeParse(error).data ?? {};
  const reason = [code ?? name, command, responseCode].filter((part) => part !== undefined).join(" ");
  if (responseCode === undefined && wasHandedOver) return { kind: "unknown", reason };
  // The recipient or the mail itself is refused for good; a refused log-in or sender is the operator's to mend.
  const isAboutMail = command === "RCPT TO" || command === "DATA";
  const isFinal = responseCode === undefined ? code === "EENVELOPE" : responseCode >= 500 && isAboutMail;
  return { kind: "refused", isFinal, reason };
}
