import type { Log } from "../base/logging/log.ts";
import type { Database } from "../db/database.ts";
import { OVER_LIMIT } from "./account-mail-limits.ts";
import { orderMessageSchema } from "./message.ts";
import type { ChannelName, DeliveryResult } from "./port.ts";
import { issueStopToken } from "./stop-tokens.ts";
import {
  type AccountChannel,
  type Channel,
  leaseRows,
  reasonToDrop,
  isLastAttempt,
  isOutdated,
  recordResult,
  type AnyRow,
} from "./outbox.ts";

/** Sent concurrently: one slow message delays no other, and a mail server sees few connections. */
const BATCH = 5;
/** Longer than the longest delivery: a crashed worker's rows come back after it. */
const LEASE_SECONDS = 90;

export type JobRunnerParts = {
  database: Database;
  channels: ReadonlyMap<ChannelName, Channel>;
  accountChannels?: ReadonlyMap<ChannelName, AccountChannel>;
  log: Log;
};

/** Sends a batch of due messages; true when there may be more. Nothing here touches an order. */
export async function sendDueMessages(parts: JobRunnerParts, signal: AbortSignal): Promise<boolean> {
  const rows = await leaseRows(parts.database, [...parts.channels.keys()], {
    limit: BATCH,
    leaseSeconds: LEASE_SECONDS,
  });
  await Promise.all(rows.map((row) => deliver(parts, row, signal)));
  return rows.length === BATCH && !signal.aborted;
}

async function deliver(parts: JobRunnerParts, row: AnyRow, signal: AbortSignal): Promise<void> {
  const { database, log } = parts;
  const about = {
    messageId: row.id,
    channel: row.channel,
    orderId: row.order_id,
    topic: row.topic,
    attempt: row.attempts,
  };
  try {
    const result = await attempt(parts, row, signal);
    const isRecorded = await recordResult(database, row, result);
    if (result.kind === "accepted") log.info(about, "message sent");
    else if (!isRecorded) log.warn({ ...about, result }, "another worker has leased this message");
    else if (isOutdated(row)) log.info(about, "a message is outdated: its order has moved on");
    // Whoever causes too many must not fill the log of errors with them.
    else if (result.reason === OVER_LIMIT) log.info(about, "a mail is over the limits and is not sent");
    else if (isLastAttempt(row, result)) log.error({ ...about, result }, "a message is abandoned");
    else log.warn({ ...about, result }, "a message was not sent; retrying");
  } catch (error) {
    log.error({ ...about, err: error }, "a message's result was not stored; it is retried after its lease");
  }
}

async function attempt(
  { database, channels, accountChannels, log }: JobRunnerParts,
  row: AnyRow,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const reason = reasonToDrop(row);
  if (reason !== null) return { kind: "refused", isFinal: true, reason };
  if (isOutdated(row)) return { kind: "refused", isFinal: true, reason: "outdated" };
  const channel = channels.get(row.channel);
  if (channel === undefined) throw new Error(`no channel for ${row.channel}`);
  try {
    if (row.order_id === null) {
      const accountChannel = accountChannels?.get(row.channel);
      if (accountChannel === undefined) throw new Error(`no channel to accounts by ${row.channel}`);
      return await accountChannel(row, signal);
    }
    const message = orderMessageSchema.parse({ ...row.payload, topic: row.topic, sourceKey: row.source_key });
    // A customer who has paid since must not be asked to pay by a late mail.
    if (message.topic === "created" && row.order_state !== "awaiting_deposit") message.isDepositAwaited = false;
    if (message.topic === "refund_delayed") message.stopToken = await issueStopToken(database, row.order_id);
    return await channel(message, row, signal);
  } catch (error) {
    log.error(
      { err: error, messageId: row.id, orderId: row.order_id, topic: row.topic },
      "a message could not be written",
    );
    return { kind: "refused", isFinal: false, reason: "could not be written" };
  }
}
