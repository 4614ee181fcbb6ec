import { inTransaction } from "../db/transaction.ts";
import {
  lockExchange,
  pairOf,
  scheduleExchange,
  wakeOrder,
  type ExchangeRow,
  type LiquidityParts,
  abandonExchange,
} from "./exchange-store.ts";
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
  const isPaid = await mayHaveLeft(parts, row.id);
  if (!isPaid && !mayBePaid(row, Date.now())) return abandonExchange(parts, row.id, "it could not be paid in time");
  const status = await partner.status(row.partner_id, pairOf(parts, row));
  await recordStatus(parts, row, status);
  switch (status.kind) {
    case "waiting":
    case "working":
    case "review":
      return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
    case "finished":
      if (isPaid) return finish(parts, row, status);
      parts.log.error({ orderId: row.order_id, partner: row.partner }, "a partner finished an unpaid exchange");
      return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
    case "returning":
    case "returned":
    case "expired":
      return isPaid ? awaitReturn(parts, row) : abandonExchange(parts, row.id, `the partner says ${status.kind}`);
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

async function finish(
  parts: LiquidityParts,
  row: ExchangeRow,
  claim: Extract<PartnerStatus, { kind: "finished" }>,
): Promise<void> {
  const observed = await observeOnChain(parts, row, claim);
  if (observed.kind === "not_yet") return scheduleExchange(parts.database.kysely, row.id, POLL_SECONDS);
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      if (locked.state !== "opened" && locked.state !== "returning") return;
      const set =
        observed.kind === "mismatch"
          ? ({ state: "review", reason: "its transaction does not pay the customer" } as const)
          : ({ state: "finished", payout_tx_id: claim.txId, delivered: observed.amount } as const);
      await transaction
        .updateTable("partner_exchanges")
        .set({ ...set, next_attempt_at: null })
        .where("id", "=", row.id)
        .execute();
      await wakeOrder(transaction, row.order_id);
    },
    parts.probe,
  );
  if (observed.kind === "mismatch")
    parts.log.error(
      { orderId: row.order_id, txId: claim.txId },
      "a partner's payment does not pay the customer; the exchange needs review",
    );
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
const NODE_LAG_MS = 900_000;

export type ChainObservation = { kind: "paid"; amount: bigint } | { kind: "not_yet" } | { kind: "mismatch" };

/**
 * Checks on the chain a payment that a partner reports, where we run a node of that network. Where the node
 * doesn't know the transaction for a quarter of an hour (wallets of some networks show their own only), or there is no
 * node, the partner's report is accepted.
 */
async function observeOnChain(
  parts: LiquidityParts,
  row: ExchangeRow,
  claim: { txId: string; amount: bigint },
): Promise<ChainObservation> {
  const { to } = pairOf(parts, row);
  const [reader, wallet] = [parts.readers.get(to.networkTitle), parts.wallets.get(to.networkTitle)];
  if (reader === undefined || wallet === undefined) return { kind: "paid", amount: claim.amount };
  const found = await wallet.lookup(claim.txId);
  if (found.kind !== "mined") {
    const since = row.opened_at?.getTime() ?? 0;
    const hasWaited = found.kind === "absent" && Date.now() - since > NODE_LAG_MS;
    return hasWaited ? { kind: "paid", amount: claim.amount } : { kind: "not_yet" };
  }
  const block = await reader.blockAt(found.height);
  const paid = (block?.transfers ?? [])
    .filter(
      ({ txId, toAddress, slug, memo }) =>
        txId === claim.txId && toAddress === row.to_address && slug === to.slug && (memo ?? null) === row.to_memo,
    )
    .reduce((sum, { amount }) => sum + amount, 0n);
  return found.succeeded && paid > 0n ? { kind: "paid", amount: paid } : { kind: "mismatch" };
}
