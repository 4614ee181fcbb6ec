import { sha256 } from "../../base/secrets.ts";
import { startLoop } from "../../base/concurrency/loop.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { createMailer, type MailerParts } from "../mail/mailer.ts";
import type { Mailer } from "../port.ts";
import { endInquiry, type InquiryResult, type QueuedInquiry, takeInquiries } from "./store.ts";

/** Whoever queues a message wakes the loop; this finds what was missed. */
const IDLE_MS = 10_000;
/** Sent at a time. */
const BATCH = 5;

export type InquirySender = { wake(): void; stop(): Promise<void> };

/** Mails messages to the operator until it is stopped. Without a mail server it says at once that they can't be sent. */
export function startInquirySender(parts: MailerParts): InquirySender {
  const { database, log, config } = parts;
  const mailer = createMailer(parts);
  const stopping = new AbortController();
  const turn = () => sendInquiries({ database, mailer, publicUrl: config.publicUrl, log }, stopping.signal);
  const loop = startLoop("messages to the operator", IDLE_MS, turn, log);
  return {
    wake: loop.wake,
    stop: async () => {
      stopping.abort();
      await loop.stop();
    },
  };
}

type SendingParts = { database: Database; mailer: Mailer | null; publicUrl: string; log: Log };

/**
 * Sends a batch; true when there may be more.
 *
 * @internal Exported for its tests.
 */
export async function sendInquiries(parts: SendingParts, signal: AbortSignal): Promise<boolean> {
  const taken = await takeInquiries(parts.database, BATCH);
  await Promise.all(
    taken.map(async (inquiry) => endInquiry(parts.database, inquiry, await sendOne(parts, inquiry, signal))),
  );
  return taken.length === BATCH;
}

async function sendOne(
  { mailer, publicUrl, log }: SendingParts,
  { reference, mail, file }: QueuedInquiry,
  signal: AbortSignal,
): Promise<InquiryResult> {
  if (mailer === null) return "failed";
  const digest = sha256(`inquiry ${reference}`).toString("hex").slice(0, 32);
  const { file: named, ...written } = mail;
  const result = await mailer.send(
    {
      ...written,
      messageId: `<${digest}@${new URL(publicUrl).hostname}>`,
      orderId: null,
      ...(named !== null && file !== null && { attachment: { ...named, content: file } }),
    },
    signal,
  );
  if (result.kind === "accepted") return "sent";
  log.warn({ reference, result }, "a message to the operator was not taken by the mail server");
  return result.kind === "refused" ? "failed" : "unknown";
}
