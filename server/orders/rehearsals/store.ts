import type { Transaction } from "kysely";
import type { SandboxOutcome } from "#contract/partner-api.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { rehearsedDeposit } from "../decisions/decide-rehearsal.ts";
import type { OrderTerms } from "../decisions/order.ts";

export type Rehearsal = {
  orderId: string;
  outcome: SandboxOutcome;
  amount: bigint;
  isPaid: boolean;
  waitsSince: Date | null;
};

/** Notes what the sandbox does for an order, in the transaction that opens it. */
export async function storeRehearsal(
  transaction: Transaction<Schema>,
  orderId: string,
  outcome: SandboxOutcome,
  terms: OrderTerms,
): Promise<void> {
  const { amount, after } = rehearsedDeposit(outcome, terms);
  await transaction.insertInto("rehearsals").values({ order_id: orderId, outcome, amount, pay_after: after }).execute();
}

/** Those for which something may be due now, the oldest first. */
export async function dueRehearsals({ kysely }: Database, now: Date, limit: number): Promise<Rehearsal[]> {
  const rows = await kysely
    .selectFrom("rehearsals")
    .select(["order_id", "outcome", "amount", "paid_at", "waits_since"])
    .where("ended_at", "is", null)
    .where("pay_after", "<=", now)
    .orderBy("pay_after")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    orderId: row.order_id,
    outcome: row.outcome,
    amount: row.amount,
    isPaid: row.paid_at !== null,
    waitsSince: row.waits_since,
  }));
}

/** False where another process was faster. A crash before the payment leaves the order unpaid: it is never paid twice. */
export async function beginPayment({ kysely }: Database, orderId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable("rehearsals")
    .set({ paid_at: now })
    .where("order_id", "=", orderId)
    .where("paid_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The network refused the payment, so that it may be tried again. */
export const forgetPayment = ({ kysely }: Database, orderId: string) =>
  kysely.updateTable("rehearsals").set({ paid_at: null }).where("order_id", "=", orderId).execute();

/** The order has begun to wait for its customer. */
export const beginWait = ({ kysely }: Database, orderId: string, now: Date) =>
  kysely.updateTable("rehearsals").set({ waits_since: now }).where("order_id", "=", orderId).execute();

export const endRehearsal = ({ kysely }: Database, orderId: string, now: Date) =>
  kysely.updateTable("rehearsals").set({ ended_at: now }).where("order_id", "=", orderId).execute();
