import { depositEntries, exchangeEntries, refundEntries } from "../treasury/entries.ts";
import type { DomainEvent, OrderState } from "./order.ts";
import type { OrderSession, SessionParts } from "./session.ts";
import type { DepositRow } from "./store.ts";

/** The intents and the ledger's entries of what was just decided, in the same transaction. */
export async function recordEffects(parts: SessionParts, session: OrderSession, events: DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.kind === "FUNDS_WITHDRAWAL_START") await startPayout(parts, session, event.data.payout);
    if (event.kind === "REFUND_STARTED") await startRefund(parts, session, event.data.refund);
  }
}

async function startPayout(
  parts: SessionParts,
  session: OrderSession,
  payout: Extract<DomainEvent, { kind: "FUNDS_WITHDRAWAL_START" }>["data"]["payout"],
): Promise<void> {
  const { transaction, order, at } = session;
  const { terms } = session.state();
  await credit(parts, session, session.counted());
  const entries = exchangeEntries(
    { slug: terms.give.slug, received: payout.received },
    { slug: terms.get.slug, ...payout },
  );
  await parts.post(transaction, { kind: "exchange", sourceId: order.id, at, entries });
  await parts.intendPayout(
    transaction,
    {
      source: { orderId: order.id },
      purpose: "payout",
      network: terms.get.networkTitle,
      slug: terms.get.slug,
      toAddress: terms.destination.address,
      toMemo: terms.destination.memo,
      amount: payout.amount,
    },
    at,
  );
}

async function startRefund(
  parts: SessionParts,
  session: OrderSession,
  refund: Extract<DomainEvent, { kind: "REFUND_STARTED" }>["data"]["refund"],
): Promise<void> {
  const { transaction, order, at } = session;
  const { give } = session.state().terms;
  await credit(parts, session, session.counted());
  const entries = refundEntries(give.slug, refund.networkFee);
  await parts.post(transaction, { kind: "refund_fee", sourceId: order.id, at, entries });
  await parts.intendPayout(
    transaction,
    {
      source: { orderId: order.id },
      purpose: "refund",
      network: give.networkTitle,
      slug: give.slug,
      toAddress: refund.to.address,
      toMemo: refund.to.memo,
      amount: refund.amount,
    },
    at,
  );
}

/** Sends a confirmed stray back, less what the way costs; its own row and its own payment, never the order's (engine law 4). */
export async function returnStray(
  parts: SessionParts,
  session: OrderSession,
  deposit: DepositRow,
  to: { address: string; memo: string | null },
  networkFee: bigint,
): Promise<void> {
  const { transaction, at } = session;
  const { give } = session.state().terms;
  await credit(parts, session, [deposit]);
  await parts.post(transaction, {
    kind: "return_fee",
    sourceId: deposit.id.toString(),
    at,
    entries: refundEntries(give.slug, networkFee),
  });
  await parts.intendPayout(
    transaction,
    {
      source: { depositId: deposit.id },
      purpose: "refund",
      network: give.networkTitle,
      slug: give.slug,
      toAddress: to.address,
      toMemo: to.memo,
      amount: deposit.amount - networkFee,
    },
    at,
  );
  await transaction.updateTable("deposits").set({ returned_at: at }).where("id", "=", deposit.id).execute();
}

async function credit(parts: SessionParts, session: OrderSession, deposits: DepositRow[]): Promise<void> {
  const { transaction, at } = session;
  const { slug }: OrderState["terms"]["give"] = session.state().terms.give;
  for (const deposit of deposits) {
    await transaction.updateTable("deposits").set({ credited_at: at }).where("id", "=", deposit.id).execute();
    await parts.post(transaction, {
      kind: "deposit",
      sourceId: deposit.id.toString(),
      at,
      entries: depositEntries(slug, deposit.amount),
    });
  }
}
