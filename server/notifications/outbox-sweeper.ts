import type { Database } from "../db/database.ts";
import type { Log } from "../log.ts";
import { ownerMessageSchema } from "./message.ts";
import { claimMail, hopeless, isLast, isOvertaken, recordOutcome, type OutboxRow } from "./outbox.ts";
import type { Mailer, MailOutcome } from "./port.ts";
import { writeMail, type Desktop } from "./templates.ts";

/** Sent side by side: one slow mail holds up no other, and a server sees few connections. */
const BATCH = 5;
/** Longer than the longest sending: a crashed worker's rows come back after it. */
const LEASE_SECONDS = 90;

export type SweeperParts = { database: Database; mailer: Mailer; desktop: Desktop; log: Log };

/** One turn over the mail that is due; true when there may be more. Nothing here touches an order. */
export async function sweepOutbox(parts: SweeperParts, signal: AbortSignal): Promise<boolean> {
  const rows = await claimMail(parts.database, BATCH, LEASE_SECONDS);
  await Promise.all(rows.map((row) => deliver(parts, row, signal)));
  return rows.length === BATCH && !signal.aborted;
}

async function deliver(parts: SweeperParts, row: OutboxRow, signal: AbortSignal): Promise<void> {
  const { database, log } = parts;
  const about = { mailId: row.id, orderId: row.order_id, topic: row.topic, attempt: row.attempts };
  try {
    const outcome = await attempt(parts, row, signal);
    const isRecorded = await recordOutcome(database, row, outcome);
    if (outcome.kind === "accepted") log.info(about, "mail sent");
    else if (!isRecorded) log.warn({ ...about, outcome }, "another worker has taken this mail over");
    else if (isOvertaken(row)) log.info(about, "a mail was overtaken by its order");
    else if (isLast(row, outcome)) log.error({ ...about, outcome }, "a mail is given up");
    else log.warn({ ...about, outcome }, "a mail was not sent; it is tried again");
  } catch (error) {
    log.error({ ...about, err: error }, "a mail's outcome was not recorded; it is looked at again after its lease");
  }
}

async function attempt(
  { mailer, desktop, log }: SweeperParts,
  row: OutboxRow,
  signal: AbortSignal,
): Promise<MailOutcome> {
  const reason = hopeless(row);
  if (reason !== null) return { kind: "refused", isFinal: true, reason };
  if (isOvertaken(row)) return { kind: "refused", isFinal: true, reason: "overtaken" };
  if (row.user_email === null) return { kind: "refused", isFinal: true, reason: "the order has no email" };
  const { id, order_id: orderId, reference, locale, user_email: email } = row;
  try {
    const message = ownerMessageSchema.parse({ ...row.payload, topic: row.topic, sourceKey: row.source_key });
    // Whoever has paid since must not be asked to pay by a mail that comes late.
    if (message.topic === "created" && row.order_state !== "awaiting_deposit") message.isDepositAwaited = false;
    const mail = writeMail(message, { rowId: id, orderId, reference, locale, email }, desktop);
    return await mailer.send(mail, signal);
  } catch (error) {
    log.error({ err: error, mailId: id, orderId, topic: row.topic }, "a mail could not be written");
    return { kind: "refused", isFinal: false, reason: "could not be written" };
  }
}
