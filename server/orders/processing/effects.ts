import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import type { EarningsRecorder } from "../../earnings/port.ts";
import type { IntendExchange } from "../../liquidity/port.ts";
import {
  depositEntries,
  exchangeEntries,
  partnerExchangeEntries,
  refundEntries,
} from "../../treasury/ledger/entries.ts";
import type { IntendPayout, LedgerTransfer, PostTransfers } from "../../treasury/port.ts";
import { areCardAmountsOff, isCardOrder } from "../decisions/decide-card.ts";
import { markupOf } from "../decisions/decide-price.ts";
import type { DomainEvent, OrderPayout, OrderState } from "../decisions/order.ts";
import type { DepositRow, StoredOrder } from "./store.ts";

/** The ports that effects are recorded through. */
export type EffectPorts = {
  intendPayout: IntendPayout;
  postAll: PostTransfers;
  intendExchange: IntendExchange;
  /** Null: completed orders earn nothing. */
  earnings: EarningsRecorder | null;
};

/** The locked order whose events have effects, and the transaction that stores both. */
export type EffectSession = {
  readonly transaction: Transaction<Schema>;
  readonly order: StoredOrder;
  readonly at: Date;
  /** What the session posts at its end, at once: everybody else waits for the accounts of the ledger. */
  readonly transfers: LedgerTransfer[];
  state(): OrderState;
  /** The visible deposits that count for this order: registered, or able to be (contract §3). */
  counted(): DepositRow[];
};

/** The intents of what was just decided, in the same transaction, and the session's transfers to the ledger. */
export async function recordEffects(ports: EffectPorts, session: EffectSession, events: DomainEvent[]): Promise<void> {
  if (session.state().terms.card !== undefined) return recordCardEffects(ports, session, events);
  for (const event of events) {
    if (event.kind === "FUNDS_WITHDRAWAL_START") await startPayout(ports, session, event.data.payout);
    if (event.kind === "PROVIDER_FAILED") await returnPayout(session);
    if (event.kind === "PROVIDER_CHANGED") await changeProvider(ports, session, event.data.payout);
    if (event.kind === "WITHDRAWAL_COMPLETED" && event.data.delivered !== undefined)
      await closeExchange(session, event.data.delivered);
    if (event.kind === "WITHDRAWAL_COMPLETED" && mayEarn(session))
      await recordEarnings(ports, session, event.data.market);
    if (event.kind === "REFUND_STOPPED") await holdRefund(session);
    if (event.kind === "REFUND_STARTED") await startRefund(ports, session, event.data.refund);
  }
}

/** Nothing of it is ours to pay or to book but what our fee earns for others. */
async function recordCardEffects(ports: EffectPorts, session: EffectSession, events: DomainEvent[]): Promise<void> {
  for (const event of events)
    if (event.kind === "WITHDRAWAL_COMPLETED" && mayEarn(session))
      await recordEarnings(ports, session, event.data.market);
}

/** An order of a guest without a link and a markup earns nothing. */
const mayEarn = (session: EffectSession): boolean =>
  session.order.userId !== null || session.order.referrerId !== null || session.state().terms.markupBps !== undefined;

/** At the price of this moment; without one, at that of the creation. */
async function recordEarnings(
  { earnings }: EffectPorts,
  session: EffectSession,
  market: { toPriceUsd: bigint } | undefined,
): Promise<void> {
  const state = session.state();
  if (state.kind !== "completed") throw new Error("only a completed order earns something");
  const { decimals } = state.terms.to;
  const { toPriceUsd: priceUsd } = market ?? state.terms.quoted.market;
  const markup = markupOf(state.terms, state.payout);
  const fee = { amount: state.payout.platformFee - markup, decimals, priceUsd };
  const isDoubtful = isCardOrder(state) && areCardAmountsOff(state.terms, state.payout.received, state.payout.amount);
  const earned = await earnings?.record(
    session.transaction,
    { id: session.order.id, fee, markup, isDoubtful },
    session.at,
  );
  session.transfers.push(...(earned ?? []));
}

async function startPayout(ports: EffectPorts, session: EffectSession, payout: OrderPayout): Promise<void> {
  await credit(session, session.counted());
  if (payout.partner === undefined) await payFromTreasury(ports, session, payout);
  else await payThroughPartner(ports, session, payout, payout.partner);
}

/** The deposits are credited already, and the order's payment was returned: it starts again. */
async function changeProvider(ports: EffectPorts, session: EffectSession, payout: OrderPayout): Promise<void> {
  if (payout.partner === undefined) await payFromTreasury(ports, session, payout);
  else await payThroughPartner(ports, session, payout, payout.partner);
}

const payoutIntent = (session: EffectSession, amount: bigint) => {
  const { to, destination } = session.state().terms;
  return {
    source: { orderId: session.order.id },
    purpose: "payout",
    network: to.networkTitle,
    slug: to.slug,
    toAddress: destination.address,
    toMemo: destination.memo,
    amount,
  } as const;
};

/** The order's one payment row is reserved while a partner makes the payment; until then the deposit is owed to the customer. */
async function payThroughPartner(
  ports: EffectPorts,
  session: EffectSession,
  { amount }: OrderPayout,
  { code, funding }: NonNullable<OrderPayout["partner"]>,
): Promise<void> {
  const { transaction, order, at } = session;
  const { from, to, destination } = session.state().terms;
  await ports.intendPayout(transaction, { ...payoutIntent(session, amount), route: "partner" }, at);
  await ports.intendExchange(
    transaction,
    {
      orderId: order.id,
      reference: order.reference,
      partner: code,
      fromSlug: from.slug,
      toSlug: to.slug,
      amount: funding,
      expected: amount,
      destination,
    },
    at,
  );
}

/** Nothing was sent to the customer: the row may become another provider's payment, or the refund. */
async function returnPayout({ transaction, order }: EffectSession): Promise<void> {
  await transaction
    .updateTable("payouts")
    .set({ state: "returned" })
    .where("order_id", "=", order.id)
    .where("route", "=", "partner")
    .where("state", "in", ["intended", "review"])
    .execute();
}

async function closeExchange(session: EffectSession, delivered: bigint): Promise<void> {
  const { transaction, order, at } = session;
  const state = session.state();
  if (state.kind !== "completed" || state.payout.partner === undefined)
    throw new Error("no partner has paid this order");
  await transaction
    .updateTable("payouts")
    .set({ state: "final", amount: delivered })
    .where("order_id", "=", order.id)
    .where("route", "=", "partner")
    .execute();
  const entries = partnerExchangeEntries(state.terms.from.slug, state.payout.received, state.payout.partner.funding);
  session.transfers.push({ kind: "partner_exchange", sourceId: order.id, at, entries });
}

async function payFromTreasury(ports: EffectPorts, session: EffectSession, payout: OrderPayout): Promise<void> {
  const { transaction, order, at } = session;
  const { terms } = session.state();
  const entries = exchangeEntries(
    { slug: terms.from.slug, received: payout.received },
    { slug: terms.to.slug, ...payout },
  );
  session.transfers.push({ kind: "exchange", sourceId: order.id, at, entries });
  await ports.intendPayout(transaction, payoutIntent(session, payout.amount), at);
}

/** Operators see it, and decide. */
async function holdRefund(session: EffectSession): Promise<void> {
  const { transaction, order, at } = session;
  const { networkTitle: network } = session.state().terms.from;
  await transaction.insertInto("stopped_refunds").values({ order_id: order.id, network, stopped_at: at }).execute();
}

async function startRefund(
  ports: EffectPorts,
  session: EffectSession,
  refund: Extract<DomainEvent, { kind: "REFUND_STARTED" }>["data"]["refund"],
): Promise<void> {
  const { transaction, order, at } = session;
  const { from } = session.state().terms;
  await credit(session, session.counted());
  const entries = refundEntries(from.slug, refund.networkFee);
  session.transfers.push({ kind: "refund_fee", sourceId: order.id, at, entries });
  await ports.intendPayout(
    transaction,
    {
      source: { orderId: order.id },
      purpose: "refund",
      network: from.networkTitle,
      slug: from.slug,
      toAddress: refund.to.address,
      toMemo: refund.to.memo,
      amount: refund.amount,
    },
    at,
  );
}

/** Refunds a confirmed late deposit less the network fee, by a payment of its own, never the order's (engine law 4). */
export async function returnStray(
  ports: EffectPorts,
  session: EffectSession,
  deposit: DepositRow,
  to: { address: string; memo: string | null },
  networkFee: bigint,
): Promise<void> {
  const { transaction, at } = session;
  const { from } = session.state().terms;
  await credit(session, [deposit]);
  session.transfers.push({
    kind: "return_fee",
    sourceId: deposit.id.toString(),
    at,
    entries: refundEntries(from.slug, networkFee),
  });
  await ports.intendPayout(
    transaction,
    {
      source: { depositId: deposit.id },
      purpose: "refund",
      network: from.networkTitle,
      slug: from.slug,
      toAddress: to.address,
      toMemo: to.memo,
      amount: deposit.amount - networkFee,
    },
    at,
  );
  await transaction.updateTable("deposits").set({ returned_at: at }).where("id", "=", deposit.id).execute();
}

/** Of more a single statement could exceed its time limit. */
const CREDITED_AT_ONCE = 10_000;

/** Throws where somebody else has credited, returned or held one of them since the session read it: nothing is decided with it then. */
async function credit(session: EffectSession, deposits: DepositRow[]): Promise<void> {
  const { transaction, order, at } = session;
  const { slug }: OrderState["terms"]["from"] = session.state().terms.from;
  // An order may be paid by thousands of deposits, while others wait for the accounts.
  const ids = deposits.flatMap(({ id, creditedAt }) => (creditedAt === null ? [id] : []));
  for (let from = 0; from < ids.length; from += CREDITED_AT_ONCE) {
    const some = ids.slice(from, from + CREDITED_AT_ONCE);
    const { numAffectedRows } = await sql`
      update deposits set credited_at = ${at}
      where id = any(${some}::bigint[]) and order_id = ${order.id} and credited_at is null and returned_at is null
        and review_reason is null`.execute(transaction);
    if (numAffectedRows !== BigInt(some.length))
      throw new Error("a deposit was credited, returned or held by somebody else while its order was settled");
  }
  const transfers = deposits.map(({ id, amount }) => {
    return { kind: "deposit", sourceId: id.toString(), at, entries: depositEntries(slug, amount) } as const;
  });
  for (const transfer of transfers) session.transfers.push(transfer);
}
