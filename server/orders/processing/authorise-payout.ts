import type { Database } from "../../db/database.ts";
import { mayBePaid } from "../../liquidity/index.ts";
import { refundRecipient } from "../decisions/decide.ts";
import { decodeState, type OrderState } from "../decisions/order.ts";
import { isOwnAddress } from "../../treasury/index.ts";
import { isBlacklisted } from "../../blacklist/index.ts";
import type { PayoutIntent } from "../../treasury/port.ts";

/** A payment about to be signed. */
export type PaymentToAuthorise = {
  orderId: string | null;
  depositId: bigint | null;
  exchangeId: bigint | null;
  purpose: PayoutIntent["purpose"] | "consolidation";
  network: string;
  slug: string;
  toAddress: string;
  toMemo: string | null;
  amount: bigint;
  /** Null for one that no block has held yet. */
  minedHeight: number | null;
};

type AuthorisedPayment = {
  network: string;
  slug: string;
  to: { address: string; memo: string | null };
  max: bigint;
  min: bigint;
};

/** True when the order's current state demands exactly this payment: the last check before signing (engine law 14). */
export async function authorisePayout(database: Database, payment: PaymentToAuthorise): Promise<boolean> {
  const authorised = await authorisedPaymentOf(database, payment);
  return (
    authorised !== null &&
    payment.network === authorised.network &&
    payment.slug === authorised.slug &&
    payment.toAddress === authorised.to.address &&
    payment.toMemo === authorised.to.memo &&
    payment.amount >= authorised.min &&
    payment.amount <= authorised.max &&
    // It may have become one of ours, or been listed, after the order was made.
    !(await isOwnAddress(database, payment.network, payment.toAddress)) &&
    !(await isBlacklisted(database.kysely, [payment.toAddress, ...(await emailOf(database, payment.orderId))]))
  );
}

function authorisedPaymentOf(database: Database, payment: PaymentToAuthorise): Promise<AuthorisedPayment | null> {
  if (payment.exchangeId !== null) return authorisedFunding(database, payment.exchangeId, payment.minedHeight !== null);
  return payment.depositId === null
    ? authorisedOrderPayment(database, payment)
    : authorisedStrayReturn(database, payment.depositId);
}

/**
 * A partner is paid only for the order's live exchange, at the address that was stored for it, and only before that expires; or for one
 * that it has filled, where a block held the payment, which was undone: it is still owed.
 */
async function authorisedFunding(
  database: Database,
  exchangeId: bigint,
  wasMined: boolean,
): Promise<AuthorisedPayment | null> {
  const row = await database.kysely
    .selectFrom("partner_exchanges")
    .select(["order_id", "state", "partner", "amount", "deposit_address", "deposit_memo", "opened_at", "expires_at"])
    .where("id", "=", exchangeId)
    .executeTakeFirst();
  if (row === undefined || row.deposit_address === null) return null;
  const isPaidAnew = wasMined && row.state === "finished";
  if (!isPaidAnew && (row.state !== "opened" || !mayBePaid(row, Date.now()))) return null;
  const state = await stateOf(database, row.order_id);
  const isPaying = state?.kind === "paying" || (isPaidAnew && state?.kind === "completed");
  const partner = isPaying ? state.payout.partner : undefined;
  if (state === null || partner?.code !== row.partner || partner.funding !== row.amount) return null;
  const { slug, networkTitle: network } = state.terms.from;
  const to = { address: row.deposit_address, memo: row.deposit_memo };
  return { network, slug, to, max: row.amount, min: row.amount };
}

async function authorisedOrderPayment(
  database: Database,
  { orderId, purpose, minedHeight }: PaymentToAuthorise,
): Promise<AuthorisedPayment | null> {
  const state = orderId === null ? null : await stateOf(database, orderId);
  if (state === null) return null;
  const { from, to, destination } = state.terms;
  // Its order has been over since a block held it, which was undone: what it pays is still owed.
  const wasMined = minedHeight !== null;
  if (purpose === "payout") {
    if (state.kind !== "paying" && !(wasMined && state.kind === "completed")) return null;
    const { amount } = state.payout;
    return { network: to.networkTitle, slug: to.slug, to: destination, max: amount, min: amount };
  }
  if (state.kind !== "refunding" && !(wasMined && state.kind === "refunded")) return null;
  const { amount, to: recipient } = state.refund;
  return { network: from.networkTitle, slug: from.slug, to: recipient, max: amount, min: amount };
}

/** A late deposit is refunded to its order's refund address, never with more than its amount. */
async function authorisedStrayReturn(database: Database, depositId: bigint): Promise<AuthorisedPayment | null> {
  const deposit = await database.kysely
    .selectFrom("deposits")
    .select(["order_id", "slug", "amount", "network", "refund_address as address", "refund_memo as memo"])
    .where("id", "=", depositId)
    .where("returned_at", "is not", null)
    .executeTakeFirst();
  const state = deposit?.order_id ? await stateOf(database, deposit.order_id) : null;
  // An operator named the address for one whose order has none, or that has no order.
  const named = deposit?.address == null ? null : { address: deposit.address, memo: deposit.memo };
  const to = named ?? (state && refundRecipient(state));
  if (!deposit || !to) return null;
  return { network: deposit.network, slug: deposit.slug, to, max: deposit.amount, min: 1n };
}

/**
 * The network fee that the customer was charged for a payment, in minor units of what it pays; null for one that no customer was
 * charged for.
 */
export async function chargedFee(
  database: Database,
  { orderId, depositId, amount }: Pick<PaymentToAuthorise, "orderId" | "depositId" | "amount">,
): Promise<bigint | null> {
  if (depositId !== null) {
    const deposits = database.kysely.selectFrom("deposits").select("amount").where("id", "=", depositId);
    const deposit = await deposits.executeTakeFirst();
    return deposit === undefined ? null : deposit.amount - amount;
  }
  const state = orderId === null ? null : await stateOf(database, orderId);
  if (state?.kind === "paying") return state.payout.networkFee;
  return state?.kind === "refunding" ? state.refund.networkFee : null;
}

async function emailOf({ kysely }: Database, orderId: string | null): Promise<string[]> {
  if (orderId === null) return [];
  const row = await kysely.selectFrom("orders").select("user_email").where("id", "=", orderId).executeTakeFirst();
  return row?.user_email == null ? [] : [row.user_email];
}

async function stateOf(database: Database, orderId: string): Promise<OrderState | null> {
  const row = await database.kysely
    .selectFrom("orders")
    .select("snapshot")
    .where("id", "=", orderId)
    .executeTakeFirst();
  return row === undefined ? null : decodeState(row.snapshot);
}
