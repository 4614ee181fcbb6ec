import type { Transaction } from "kysely";
import { parseAmount, toMinor } from "#contract/money.ts";
import { type Operator, OperatorError, recordAction } from "../../admin/index.ts";
import { confirmationsAt, readTip } from "../../chains/follower/index.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { bookUnknownPayment, intendPayout, postAll, provenPayout } from "../../treasury/index.ts";
import { decide } from "../decisions/decide.ts";
import { evolve } from "../decisions/evolve.ts";
import type { OrderState, OrderTerms } from "../decisions/order.ts";
import { recordEffects, type EffectSession } from "../processing/effects.ts";
import { countedOf, sumOf } from "../processing/session.ts";
import {
  appendEvents,
  depositsOf,
  lockOrder,
  scheduleOrder,
  type DepositRow,
  type StoredOrder,
} from "../processing/store.ts";

/** What an operator names: an order, and where more than one payment may be it, or its amount is hidden, what that is. */
type Acceptance = { id: string; at: Date; txId: string | null; amount: string | null };

/**
 * Accepts the offer of an order in place of its customer, who did so after the backup that was restored, and books the payment that no row
 * knows as the one that has paid it out. Nothing is ever signed for it. Throws `OperatorError` where no such payment says so.
 */
export async function acceptPaidOffer(
  database: Database,
  operator: Operator,
  { id, at, txId: named, amount }: Acceptance,
): Promise<{ txId: string }> {
  return inTransaction(database, async (transaction) => {
    const order = await lockOrder(transaction, id);
    if (order === null) throw new OperatorError(`There is no order ${id}.`);
    const { state, reference } = order;
    const offered = state.kind === "awaiting_choice" ? (state.offer?.amount ?? null) : null;
    const said = { txId: named, amount: amount === null ? null : readAmount(amount, state.terms) };
    const { txId, amount: paid } = await provenPayout(transaction, { id, reference, offered }, said);
    await requireUnrefunded(transaction, id);
    const deposits = countedOf(state, await depositsOf(transaction, id));
    const command = { kind: "accept_paid_offer", received: sumOf(deposits), paid: toMinor<"to">(paid), at } as const;
    const { events } = decide(command, state);
    if (events.length === 0) throw hasNoOffer(order, txId);
    await requireConfirmed(transaction, order, deposits);
    const next = events.reduce<OrderState>(evolve, state);
    const session: EffectSession = {
      transaction,
      order,
      at,
      transfers: [],
      state: () => next,
      counted: () => deposits,
    };
    await recordEffects({ intendPayout, postAll, intendExchange: noExchange, earnings: null }, session, events);
    await appendEvents(transaction, order, events, { state: next, wait: null, exposure: null, unpaidUntil: null });
    await transaction.updateTable("orders").set({ choice_until: null }).where("id", "=", id).execute();
    await transaction.deleteFrom("undecided_orders").where("order_id", "=", id).execute();
    const payment = await bookPayment(transaction, order, { txId, at });
    await scheduleOrder(transaction, id, 0);
    await recordAction(transaction, operator, {
      action: "order accept",
      // The security log writes it, and an order's id opens the order.
      subject: `order ${reference}`,
      before: { waitsFor: order.wait, offered },
      after: { txId, payment, amount: paid },
    });
    // Last: the accounts are locked from here to the commit.
    await postAll(transaction, session.transfers);
    return { txId };
  });
}

/** What was paid under a minimum had more deposits, which the chain shows: they lead to a payout of its own. */
function hasNoOffer({ state, reference, wait }: StoredOrder, txId: string): OperatorError {
  const isOutOfBounds = wait === "under_minimum" || wait === "over_maximum";
  const next = isOutOfBounds
    ? `it decides its payout by itself once all that it was paid is confirmed: book ${txId} as that one then`
    : `"unknown-payments" lists the payments that ${txId} may be`;
  return new OperatorError(
    `Order ${reference} is ${isOutOfBounds ? wait : state.kind} and has no new rate for its deposits: ${next}.`,
  );
}

function readAmount(text: string, { to }: OrderTerms): bigint {
  const amount = parseAmount(text, to.decimals);
  if (amount === null || amount <= 0n) throw new OperatorError(`--amount ${text} is no amount of ${to.slug}.`);
  return amount;
}

/** Of an operator's refund and acceptance one is first. */
async function requireUnrefunded(transaction: Transaction<Schema>, id: string): Promise<void> {
  const decided = await transaction
    .selectFrom("undecided_orders")
    .select("order_id")
    .where("order_id", "=", id)
    .where("refund_requested_at", "is not", null)
    .executeTakeFirst();
  if (decided !== undefined) throw new OperatorError("Its refund was requested: a worker goes on with it.");
}

/** Only what is deep enough is credited. */
async function requireConfirmed(
  transaction: Transaction<Schema>,
  { reference, state }: StoredOrder,
  deposits: readonly DepositRow[],
): Promise<void> {
  const { from, requiredConfirmations } = state.terms;
  const tip = await readTip(transaction, from.networkTitle);
  const isDeep = ({ height }: DepositRow) => confirmationsAt(tip, height) >= requiredConfirmations;
  if (!deposits.every(isDeep))
    throw new OperatorError(`The deposits of order ${reference} are not confirmed: accept it once they are.`);
}

async function bookPayment(
  transaction: Transaction<Schema>,
  { id, state: { terms } }: StoredOrder,
  { txId, at }: { txId: string; at: Date },
): Promise<bigint> {
  const payout = await transaction
    .selectFrom("payouts")
    .select("id")
    .where("order_id", "=", id)
    .executeTakeFirstOrThrow();
  const named = { network: terms.to.networkTitle, txId, payoutId: payout.id, at };
  await bookUnknownPayment(transaction, named, () => {
    throw new Error("what was accepted is booked as it was paid");
  });
  return payout.id;
}

const noExchange = (): never => {
  throw new Error("what we have paid ourselves no partner fills");
};
