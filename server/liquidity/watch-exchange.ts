import { inTransaction } from "../db/transaction.ts";
import {
  lockExchange,
  pairOf,
  scheduleExchange,
  wakeOrder,
  type ExchangeRow,
  type LiquidityParts,
  giveUp,
} from "./exchange-store.ts";
import type { LiquidityPartner, PartnerStatus } from "./port.ts";

const POLL_SECONDS = 10;
/** An exchange that could not be paid for this long is left alone. */
const UNPAID_MS = 3_600_000;
/** Nothing is sent so shortly before an exchange expires. */
const BEFORE_EXPIRY_MS = 600_000;

/** True while a payment to an exchange may still begin. */
export const mayBePaid = (row: Pick<ExchangeRow, "opened_at" | "expires_at">, nowMs: number): boolean =>
  row.opened_at !== null &&
  nowMs < row.opened_at.getTime() + UNPAID_MS &&
  (row.expires_at === null || nowMs < row.expires_at.getTime() - BEFORE_EXPIRY_MS);

/** Asks a partner how an exchange stands. What was paid is never given up: it is watched until it arrives, here or there. */
export async function watchExchange(parts: LiquidityParts, partner: LiquidityPartner, row: ExchangeRow): Promise<void> {
  if (row.partner_id === null) throw new Error(`exchange ${row.id} was opened without an id`);
  const isPaid = await mayHaveLeft(parts, row.id);
  if (!isPaid && !mayBePaid(row, Date.now())) return giveUp(parts, row.id, "it could not be paid in time");
  const status = await partner.status(row.partner_id, pairOf(parts, row));
  await note(parts, row, status);
  switch (status.kind) {
    case "waiting":
    case "working":
    case "review":
      return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
    case "finished":
      if (isPaid) return finish(parts, row, status);
      parts.log.error({ orderId: row.order_id, partner: row.partner }, "a partner finished what it was not paid for");
      return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
    case "returning":
    case "returned":
    case "expired":
      return isPaid ? awaitReturn(parts, row) : giveUp(parts, row.id, `the partner says ${status.kind}`);
  }
}

/** Whether the payment to an exchange has a handle, and so may be on its way. */
async function mayHaveLeft({ database }: LiquidityParts, id: bigint): Promise<boolean> {
  const row = await database.kysely
    .selectFrom("payouts")
    .innerJoin("payout_handles", "payout_handles.payout_id", "payouts.id")
    .select("payouts.id")
    .where("payouts.exchange_id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

async function note({ database, log }: LiquidityParts, row: ExchangeRow, status: PartnerStatus): Promise<void> {
  const told = status.kind === "review" ? `review: ${status.reason}` : status.kind;
  if (row.partner_status === told) return;
  const about = { orderId: row.order_id, partner: row.partner, partnerId: row.partner_id, status: told };
  if (status.kind === "review") log.error(about, "a partner's people look at an exchange");
  else log.info(about, "an exchange at a partner");
  await database.kysely
    .updateTable("partner_exchanges")
    .set({ partner_status: told })
    .where("id", "=", row.id)
    .execute();
}

async function finish(
  parts: LiquidityParts,
  row: ExchangeRow,
  claim: Extract<PartnerStatus, { kind: "finished" }>,
): Promise<void> {
  const shown = await shownOnChain(parts, row, claim);
  if (shown.kind === "not_yet") return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      if (locked.state !== "opened" && locked.state !== "returning") return;
      const set =
        shown.kind === "lie"
          ? ({ state: "review", reason: "its transaction does not pay the customer" } as const)
          : ({ state: "finished", payout_tx_id: claim.txId, delivered: shown.amount } as const);
      await transaction
        .updateTable("partner_exchanges")
        .set({ ...set, next_attempt_at: null })
        .where("id", "=", row.id)
        .execute();
      await wakeOrder(transaction, row.order_id);
    },
    parts.probe,
  );
  if (shown.kind === "lie")
    parts.log.error({ orderId: row.order_id, txId: claim.txId }, "a partner's payment does not pay the customer; held");
}

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

/** Nodes may lag behind a partner; one that shows no payments of others never will. */
const PATIENCE_MS = 900_000;

export type Shown = { kind: "paid"; amount: bigint } | { kind: "not_yet" } | { kind: "lie" };

/**
 * What the chain says of a payment that a partner claims to have made, where the house has a node that can tell. Where the node
 * doesn't know the transaction for a quarter of an hour (wallets of some networks show their own only), or there is no node, the partner's word stands.
 */
export async function shownOnChain(
  parts: LiquidityParts,
  row: ExchangeRow,
  claim: { txId: string; amount: bigint },
): Promise<Shown> {
  const { to } = pairOf(parts, row);
  const [reader, wallet] = [parts.readers.get(to.networkTitle), parts.wallets.get(to.networkTitle)];
  if (reader === undefined || wallet === undefined) return { kind: "paid", amount: claim.amount };
  const found = await wallet.lookup(claim.txId);
  if (found.kind !== "mined") {
    const since = row.opened_at?.getTime() ?? 0;
    const hasWaited = found.kind === "absent" && Date.now() - since > PATIENCE_MS;
    return hasWaited ? { kind: "paid", amount: claim.amount } : { kind: "not_yet" };
  }
  const block = await reader.blockAt(found.height);
  const paid = (block?.transfers ?? [])
    .filter(
      ({ txId, toAddress, slug, memo }) =>
        txId === claim.txId && toAddress === row.to_address && slug === to.slug && (memo ?? null) === row.to_memo,
    )
    .reduce((sum, { amount }) => sum + amount, 0n);
  return found.succeeded && paid > 0n ? { kind: "paid", amount: paid } : { kind: "lie" };
}
