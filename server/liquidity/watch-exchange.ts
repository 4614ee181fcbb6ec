import { sql } from "kysely";
import { inTransaction } from "../db/transaction.ts";
import {
  lockExchange,
  mayHaveLeft,
  pairOf,
  scheduleExchange,
  wakeOrder,
  type ExchangeRow,
  type LiquidityParts,
  abandonExchange,
} from "./store.ts";
import { isOtherPayment, observeDelivery, type Claim } from "./observe-delivery.ts";
import type { LiquidityPartner, PartnerStatus } from "./port.ts";

const POLL_SECONDS = 10;
/** An exchange that stays unpaid for this long is abandoned. */
const UNPAID_MS = 3_600_000;
/** Nothing is sent so shortly before an exchange expires. */
const BEFORE_EXPIRY_MS = 600_000;

/** True while a payment to an exchange may still begin. */
export const mayBePaid = (row: Pick<ExchangeRow, "opened_at" | "expires_at">, nowMs: number): boolean =>
  row.opened_at !== null &&
  nowMs < row.opened_at.getTime() + UNPAID_MS &&
  (row.expires_at === null || nowMs < row.expires_at.getTime() - BEFORE_EXPIRY_MS);

/** Polls the partner's status. A paid exchange is never abandoned: it is watched until it is delivered or returned. */
export async function watchExchange(parts: LiquidityParts, partner: LiquidityPartner, row: ExchangeRow): Promise<void> {
  if (row.partner_id === null) throw new Error(`exchange ${row.id} was opened without an id`);
  const isPaid = await mayHaveLeft(parts.database.kysely, row.id);
  if (!isPaid && !mayBePaid(row, Date.now())) return abandonExchange(parts, row.id, "it could not be paid in time");
  const status = await partner.status(row.partner_id, pairOf(parts, row));
  await recordStatus(parts, row, status);
  switch (status.kind) {
    case "waiting":
    case "working":
    case "review":
      return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
    case "finished":
      if (isPaid) return finish(parts, await reportedNow(parts, row), status);
      parts.log.error({ orderId: row.order_id, partner: row.partner }, "a partner finished an unpaid exchange");
      return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
    case "returning":
    case "returned":
    case "expired":
      return isPaid ? awaitReturn(parts, row) : abandonExchange(parts, row.id, `the partner says ${status.kind}`);
  }
}

async function recordStatus({ database, log }: LiquidityParts, row: ExchangeRow, status: PartnerStatus): Promise<void> {
  const label = status.kind === "review" ? `review: ${status.reason}` : status.kind;
  if (row.partner_status === label) return;
  const about = { orderId: row.order_id, partner: row.partner, partnerId: row.partner_id, status: label };
  if (status.kind === "review") log.error(about, "a partner reviews an exchange by hand");
  else log.info(about, "an exchange at a partner");
  await database.kysely
    .updateTable("partner_exchanges")
    .set({ partner_status: label })
    .where("id", "=", row.id)
    .execute();
}

/** The row with the time of the partner's first report that it has paid. */
async function reportedNow({ database }: LiquidityParts, row: ExchangeRow): Promise<ExchangeRow> {
  if (row.finish_reported_at !== null) return row;
  return database.kysely
    .updateTable("partner_exchanges")
    .set({ finish_reported_at: sql<Date>`now()` })
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function finish(parts: LiquidityParts, row: ExchangeRow, claim: Claim): Promise<void> {
  const delivery = await observeDelivery(parts, row, claim);
  if (delivery.kind === "not_yet") return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
  const reviewed = await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      if (locked.state !== "opened" && locked.state !== "returning") return null;
      const isOther = await isOtherPayment(transaction, parts, row, claim.txId);
      const judged = isOther ? OTHER_PAYMENT : delivery;
      const doubted = judged.amount !== null && { doubted_tx_id: claim.txId, doubted_amount: judged.amount };
      const set =
        judged.kind === "review"
          ? ({ state: "review", reason: judged.reason, ...doubted } as const)
          : ({ state: "finished", payout_tx_id: claim.txId, delivered: judged.amount } as const);
      await transaction
        .updateTable("partner_exchanges")
        .set({ ...set, next_attempt_at: null })
        .where("id", "=", row.id)
        .execute();
      await wakeOrder(transaction, row.order_id);
      return judged.kind === "review" ? judged.reason : null;
    },
    parts.probe,
  );
  if (reviewed !== null)
    parts.log.error(
      { orderId: row.order_id, txId: claim.txId, reason: reviewed },
      "what a partner reports as its payment is in doubt; the exchange needs review",
    );
}

const OTHER_PAYMENT = { kind: "review", reason: "its transaction is another payment", amount: null } as const;

async function awaitReturn(parts: LiquidityParts, row: ExchangeRow): Promise<void> {
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      if (locked.state !== "opened" && locked.state !== "returning") return;
      await transaction.updateTable("partner_exchanges").set({ state: "returning" }).where("id", "=", row.id).execute();
      await scheduleExchange(transaction, row.id, POLL_SECONDS);
    },
    parts.probe,
  );
}
