import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { toMinor } from "#contract/money.ts";
import type { Database } from "../../db/database.ts";
import { mayBePaidOut } from "../../treasury/index.ts";
import { isForCustomer } from "../decisions/decision.ts";
import { canBeNotified } from "../refunds/refund-hold.ts";
import { sumOf, type OrderSession, type SessionParts } from "../processing/session.ts";

export type UndecidedParts = Pick<SessionParts, "log"> & {
  catalogue: { terms: { refundDelaySeconds: number } };
  /** How long an order waits for its customer before operators are notified; null: for ever. */
  undecidedSeconds: number | null;
  /** How long the customer may choose before the deposit is refunded automatically; null: no limit. */
  autoRefundSeconds: number | null;
  /** Network fee of a refund in its own minor units; null while unknown. */
  returnFee(slug: string): bigint | null;
};

/** An automatic refund that is due is tried for so long before operators are notified of its order. */
const AUTO_REFUND_SLACK_SECONDS = 86_400;

/** Orders that have waited for their customers for as long as they may, the longest first. */
export async function ordersLeftUndecided(database: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom("orders")
    .select("id")
    .where("choice_until", "<=", now)
    .orderBy("choice_until")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Counts the time that an order waits for its customer, from when its wait began or last changed, and shows it to operators once that is
 * over. Only what the customer does ends it: the choice stays theirs until an operator has acted.
 */
export async function watchChoice(parts: UndecidedParts, session: OrderSession): Promise<void> {
  const { order, transaction, at } = session;
  const { wait, hasChanged } = session.outcome();
  if (!isForCustomer(wait)) return endWait(session);
  const seconds = secondsToChoose(parts, session);
  if (seconds === null) return;
  const isNew = hasChanged || (order.choiceUntil === null && !(await isHeld(session)));
  if (isNew) {
    await forgetHeld(session);
    return setChoiceUntil(session, new Date(at.getTime() + seconds * 1000));
  }
  if (order.choiceUntil === null || at < order.choiceUntil) return;
  const { from } = session.state().terms;
  await transaction
    .insertInto("undecided_orders")
    .values({
      order_id: order.id,
      network: from.networkTitle,
      reason: wait,
      slug: from.slug,
      received: sumOf(session.counted()),
    })
    .execute();
  await setChoiceUntil(session, null);
  parts.log.error(
    { orderId: order.id, wait },
    "the customer of an order has not chosen in time: an operator may end it",
  );
}

/** Null: operators are never notified. */
function secondsToChoose(
  { undecidedSeconds, autoRefundSeconds }: UndecidedParts,
  session: OrderSession,
): number | null {
  if (undecidedSeconds === null || autoRefundSeconds === null || session.state().terms.refund === null)
    return undecidedSeconds;
  return Math.max(undecidedSeconds, autoRefundSeconds + AUTO_REFUND_SLACK_SECONDS);
}

/**
 * Takes an operator's decision to refund an order whose customer has not chosen. True while the fee is unknown: nothing else may be decided
 * of the order until it was taken.
 */
export async function refundUndecided(parts: UndecidedParts, session: OrderSession): Promise<boolean> {
  const { order, transaction, at } = session;
  if (!isForCustomer(order.wait)) return false;
  const asked = await transaction
    .selectFrom("undecided_orders")
    .select(["to_address as address", "to_memo as memo"])
    .where("order_id", "=", order.id)
    .where("refund_requested_at", "is not", null)
    .executeTakeFirst();
  if (asked === undefined) return false;
  const fee = parts.returnFee(session.state().terms.from.slug);
  if (fee === null) return true;
  const { address, memo } = asked;
  session.take({
    kind: "refund_undecided",
    to: address === null ? null : { address, memo },
    received: sumOf(session.counted()),
    networkFee: toMinor(fee),
    refundDelaySeconds: (await canBeNotified(session)) ? parts.catalogue.terms.refundDelaySeconds : 0,
    at,
  });
  if (session.state().kind === "refund_requested") return false;
  await transaction
    .updateTable("undecided_orders")
    .set({ refund_requested_at: null, last_error: "the deposits are too small to be sent back" })
    .where("order_id", "=", order.id)
    .execute();
  return false;
}

/** Throws once an operator has decided to send the deposit back: of the two, whoever was first decides. */
export async function requireUndecided({ transaction, order }: OrderSession): Promise<void> {
  if (!isForCustomer(order.wait)) return;
  const decided = await transaction
    .selectFrom("undecided_orders")
    .select("order_id")
    .where("order_id", "=", order.id)
    .where("refund_requested_at", "is not", null)
    .executeTakeFirst();
  if (decided !== undefined)
    throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The exchange is sending the deposit back already");
}

/** Whether the order may have been paid since a backup that was restored; it is not refunded until that is decided. */
export function mayBePaid({ transaction, order: { id, state } }: OrderSession): Promise<boolean> {
  const { from, to } = state.terms;
  return mayBePaidOut(transaction, { id, networks: [from.networkTitle, to.networkTitle] });
}

/** Ends what is counted and shown of an order's wait for its customer, once something else was decided. */
export async function endWait(session: OrderSession): Promise<void> {
  if (!isForCustomer(session.order.wait) || isForCustomer(session.outcome().wait)) return;
  if (session.order.choiceUntil !== null) await setChoiceUntil(session, null);
  await forgetHeld(session);
}

const isHeld = async ({ transaction, order }: OrderSession): Promise<boolean> =>
  (await transaction
    .selectFrom("undecided_orders")
    .select("order_id")
    .where("order_id", "=", order.id)
    .executeTakeFirst()) !== undefined;

const forgetHeld = ({ transaction, order }: OrderSession): Promise<unknown> =>
  transaction.deleteFrom("undecided_orders").where("order_id", "=", order.id).execute();

async function setChoiceUntil({ transaction, order }: OrderSession, until: Date | null): Promise<void> {
  await sql`update orders set choice_until = ${until} where id = ${order.id}`.execute(transaction);
}
