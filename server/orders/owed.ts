import type { Database } from "../db/database.ts";
import { mayBePaid } from "../liquidity/index.ts";
import { returnPlace } from "./decide.ts";
import { decodeState, type OrderState } from "./order.ts";

/** What is about to be signed, as far as an order can judge it. */
export type OwedPayment = {
  orderId: string | null;
  depositId: bigint | null;
  exchangeId: bigint | null;
  purpose: "payout" | "refund" | "sweep" | "gas" | "funding";
  network: string;
  slug: string;
  toAddress: string;
  toMemo: string | null;
  amount: bigint;
};

type Promised = {
  network: string;
  slug: string;
  to: { address: string; memo: string | null };
  most: bigint;
  least: bigint;
};

/** True when the order itself says that this very payment is owed: the last look before a signature (engine law 14). */
export async function isOwed(database: Database, payment: OwedPayment): Promise<boolean> {
  const promised = await promiseOf(database, payment);
  return (
    promised !== null &&
    payment.network === promised.network &&
    payment.slug === promised.slug &&
    payment.toAddress === promised.to.address &&
    payment.toMemo === promised.to.memo &&
    payment.amount >= promised.least &&
    payment.amount <= promised.most
  );
}

function promiseOf(database: Database, payment: OwedPayment): Promise<Promised | null> {
  if (payment.exchangeId !== null) return exchangePromise(database, payment.exchangeId);
  return payment.depositId === null ? orderPromise(database, payment) : strayPromise(database, payment.depositId);
}

/** A partner is paid for the order's live exchange alone, at the address that was stored for it, and while there is time for it. */
async function exchangePromise(database: Database, exchangeId: bigint): Promise<Promised | null> {
  const row = await database.kysely
    .selectFrom("partner_exchanges")
    .select(["order_id", "partner", "amount", "deposit_address", "deposit_memo", "opened_at", "expires_at"])
    .where("id", "=", exchangeId)
    .where("state", "=", "opened")
    .executeTakeFirst();
  if (row === undefined || row.deposit_address === null || !mayBePaid(row, Date.now())) return null;
  const state = await stateOf(database, row.order_id);
  const partner = state?.kind === "paying" ? state.payout.partner : undefined;
  if (state === null || partner?.code !== row.partner || partner.funding !== row.amount) return null;
  const { slug, networkTitle: network } = state.terms.give;
  const to = { address: row.deposit_address, memo: row.deposit_memo };
  return { network, slug, to, most: row.amount, least: row.amount };
}

async function orderPromise(database: Database, { orderId, purpose }: OwedPayment): Promise<Promised | null> {
  const state = orderId === null ? null : await stateOf(database, orderId);
  if (state === null) return null;
  const { give, get, destination } = state.terms;
  if (purpose === "payout") {
    if (state.kind !== "paying") return null;
    const { amount } = state.payout;
    return { network: get.networkTitle, slug: get.slug, to: destination, most: amount, least: amount };
  }
  if (state.kind !== "refunding") return null;
  const { amount, to } = state.refund;
  return { network: give.networkTitle, slug: give.slug, to, most: amount, least: amount };
}

/** A stray goes back where its order says, and never more than it was. */
async function strayPromise(database: Database, depositId: bigint): Promise<Promised | null> {
  const deposit = await database.kysely
    .selectFrom("deposits")
    .select(["order_id", "slug", "amount", "network"])
    .where("id", "=", depositId)
    .where("returned_at", "is not", null)
    .executeTakeFirst();
  const state = deposit?.order_id ? await stateOf(database, deposit.order_id) : null;
  const to = state && returnPlace(state);
  if (!deposit || !to) return null;
  return { network: deposit.network, slug: deposit.slug, to, most: deposit.amount, least: 1n };
}

async function stateOf(database: Database, orderId: string): Promise<OrderState | null> {
  const row = await database.kysely
    .selectFrom("orders")
    .select("snapshot")
    .where("id", "=", orderId)
    .executeTakeFirst();
  return row === undefined ? null : decodeState(row.snapshot);
}
