import type { Database } from "../../db/database.ts";
import type { Log } from "../../base/log.ts";
import { ownerMessageSchema } from "../message.ts";
import type { Courier } from "../channel.ts";
import { claimRows, hopeless, isLast, isOvertaken, recordOutcome, type OutboxRow } from "./outbox.ts";
import type { Channel, Outcome } from "../port.ts";

/** Sent side by side: one slow message holds up no other, and a server sees few connections. */
const BATCH = 5;
/** Longer than the longest sending: a crashed worker's rows come back after it. */
const LEASE_SECONDS = 90;

export type SweeperParts = { database: Database; couriers: ReadonlyMap<Channel, Courier>; log: Log };

/** One turn over what is due to be told; true when there may be more. Nothing here touches an order. */
export async function sweepOutbox(parts: SweeperParts, signal: AbortSignal): Promise<boolean> {
  const rows = await claimRows(parts.database, [...parts.couriers.keys()], {
    limit: BATCH,
    leaseSeconds: LEASE_SECONDS,
  });
  await Promise.all(rows.map((row) => deliver(parts, row, signal)));
  return rows.length === BATCH && !signal.aborted;
}

async function deliver(parts: SweeperParts, row: OutboxRow, signal: AbortSignal): Promise<void> {
  const { database, log } = parts;
  const about = {
    messageId: row.id,
    channel: row.channel,
    orderId: row.order_id,
    topic: row.topic,
    attempt: row.attempts,
  };
  try {
    const outcome = await attempt(parts, row, signal);
    const isRecorded = await recordOutcome(database, row, outcome);
    if (outcome.kind === "accepted") log.info(about, "owner told");
    else if (!isRecorded) log.warn({ ...about, outcome }, "another worker has taken this message over");
    else if (isOvertaken(row)) log.info(about, "a message was overtaken by its order");
    else if (isLast(row, outcome)) log.error({ ...about, outcome }, "a message is given up");
    else log.warn({ ...about, outcome }, "a message was not sent; it is tried again");
  } catch (error) {
    log.error({ ...about, err: error }, "a message's outcome was not recorded; it is looked at again after its lease");
  }
}

async function attempt({ couriers, log }: SweeperParts, row: OutboxRow, signal: AbortSignal): Promise<Outcome> {
  const reason = hopeless(row);
  if (reason !== null) return { kind: "refused", isFinal: true, reason };
  if (isOvertaken(row)) return { kind: "refused", isFinal: true, reason: "overtaken" };
  const courier = couriers.get(row.channel);
  if (courier === undefined) throw new Error(`nobody carries ${row.channel}`);
  try {
    const message = ownerMessageSchema.parse({ ...row.payload, topic: row.topic, sourceKey: row.source_key });
    // Whoever has paid since must not be asked to pay by a mail that comes late.
    if (message.topic === "created" && row.order_state !== "awaiting_deposit") message.isDepositAwaited = false;
    return await courier(message, row, signal);
  } catch (error) {
    log.error(
      { err: error, messageId: row.id, orderId: row.order_id, topic: row.topic },
      "a message could not be written",
    );
    return { kind: "refused", isFinal: false, reason: "could not be written" };
  }
}
