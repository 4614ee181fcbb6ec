import { sql } from "kysely";
import type { AnswerOf } from "#contract/calls.ts";
import type { IsStopToken } from "../../notifications/port.ts";
import { withOrder, type OrderSession, type SessionParts } from "../processing/session.ts";
import { scheduleOrder } from "../processing/store.ts";

export type RefundHoldParts = SessionParts & { isStopToken: IsStopToken };

/**
 * True where a message reaches the order's owner: a confirmed email, the Telegram user who made it, or a browser that subscribed with the
 * destination address. An email that was set by the id alone could be anybody's.
 */
export async function canBeNotified({
  transaction,
  order,
}: Pick<OrderSession, "transaction" | "order">): Promise<boolean> {
  if (order.userEmail !== null && order.isEmailConfirmed) return true;
  const { rows } = await sql<{ reached: boolean }>`
    select exists (select from users where id = ${order.userId}::bigint and telegram_id is not null)
      or exists (select from push_subscriptions where order_id = ${order.id}) as reached`.execute(transaction);
  return rows[0]?.reached === true;
}

/**
 * Stops a refund that waits, for whoever has the token of the message about it; stopping it again answers alike. Null for an unknown order
 * and for a wrong token.
 */
export async function stopRefund(
  parts: RefundHoldParts,
  orderId: string,
  token: string,
): Promise<AnswerOf<"stopRefund"> | null> {
  // First: whoever has no token neither waits for the order's lock nor brings it back from the archive.
  if (!(await parts.isStopToken(parts.database.kysely, orderId, token))) return null;
  const done = await withOrder(parts, orderId, async (session) => {
    session.take({ kind: "stop_refund", at: session.at });
    await scheduleOrder(session.transaction, orderId, 0);
    return { orderId, reference: session.order.reference, isStopped: true as const };
  });
  if (done !== null && done.events.length > 0)
    parts.log.error({ orderId }, "a refund was stopped by its owner and needs review");
  return done?.result ?? null;
}

/** Lets a refund that a restore put back wait anew: its owner may have stopped it since the backup, or may have lost the message about it. */
export async function renewDelay(
  { catalogue }: { catalogue: { terms: { refundDelaySeconds: number } } },
  session: OrderSession,
): Promise<void> {
  const { transaction, order, at } = session;
  if (order.restoredAt === null) return;
  session.take({ kind: "delay_refund", refundDelaySeconds: catalogue.terms.refundDelaySeconds, at });
  await transaction.updateTable("orders").set({ restored_at: null }).where("id", "=", order.id).execute();
}

/** Takes an operator's decision about a stopped refund. */
export async function releaseRefund(session: OrderSession): Promise<void> {
  const state = session.state();
  if (state.kind !== "refund_requested" || state.isStopped !== true) return;
  const { transaction, order } = session;
  const released = await transaction
    .deleteFrom("stopped_refunds")
    .where("order_id", "=", order.id)
    .where("released_at", "is not", null)
    .returning(["to_address as address", "to_memo as memo"])
    .executeTakeFirst();
  if (released === undefined) return;
  const { address, memo } = released;
  session.take({ kind: "release_refund", to: address === null ? null : { address, memo }, at: session.at });
}

/** Seconds until a refund that waits is paid; null where none does. */
export function refundDueIn(session: Pick<OrderSession, "state" | "wait" | "at">): number | null {
  const state = session.state();
  if (session.wait !== "refund_delayed" || state.kind !== "refund_requested" || state.heldUntil === undefined)
    return null;
  return Math.max(0, (state.heldUntil.getTime() - session.at.getTime()) / 1000);
}
