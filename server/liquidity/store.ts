import { sql, type Kysely, type Selectable, type Transaction } from "kysely";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { type TransactionProbe, inTransaction } from "../db/transaction.ts";
import type { Log } from "../base/logging/log.ts";
import type { LogThrottle } from "../base/logging/log-throttle.ts";
import type { NetworkReader, NetworkWallet } from "../chains/port.ts";
import type { IntendPayout, PostTransfer, Switches } from "../treasury/port.ts";
import type {
  AbandonUnopened,
  ExchangeEnd,
  IntendExchange,
  LiquidityPartner,
  PartnerPair,
  TradedInstrument,
} from "./port.ts";

export type LiquidityParts = {
  database: Database;
  /** By code; those that are configured. Empty in a process without the worker role (engine law 14). */
  partners: ReadonlyMap<string, LiquidityPartner>;
  readers: ReadonlyMap<string, NetworkReader>;
  wallets: ReadonlyMap<string, NetworkWallet>;
  instrumentOf(slug: string): TradedInstrument & { confirmations: number };
  switches: Pick<Switches, "stoppedNow">;
  intendPayout: IntendPayout;
  post: PostTransfer;
  clock: Clock;
  log: Log;
  /** Whether a stop that many exchanges meet every few seconds is to be logged. */
  isStopReminderDue: LogThrottle;
  probe?: TransactionProbe;
};

export type ExchangeRow = Selectable<Schema["partner_exchanges"]>;
type Reader = Pick<Transaction<Schema>, "selectFrom">;

/** Stores that a partner fills an order. A second live exchange for the same order breaks a unique index. */
export const intendExchange: IntendExchange = async (transaction, intent, at) => {
  const { n } = await transaction
    .selectFrom("partner_exchanges")
    .select(sql<number>`coalesce(max(n), 0)::int + 1`.as("n"))
    .where("order_id", "=", intent.orderId)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("partner_exchanges")
    .values({
      order_id: intent.orderId,
      n,
      client_id: `${intent.reference}-${n}`,
      partner: intent.partner,
      from_slug: intent.fromSlug,
      to_slug: intent.toSlug,
      amount: intent.amount,
      expected: intent.expected,
      to_address: intent.destination.address,
      to_memo: intent.destination.memo,
      state: "intended",
      next_attempt_at: sql<Date>`now()`,
      created_at: at,
    })
    .execute();
};

/** How an order's newest exchange ended; null while it is in progress or where there is none. */
export async function endOfExchange(db: Reader, orderId: string): Promise<ExchangeEnd | null> {
  const row = await db
    .selectFrom("partner_exchanges")
    .select(["state", "partner", "payout_tx_id", "delivered"])
    .where("order_id", "=", orderId)
    .orderBy("n", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.state === "returned" || row.state === "abandoned") return { kind: "gone", partner: row.partner };
  if (row.state !== "finished" || row.payout_tx_id === null || row.delivered === null) return null;
  return { kind: "finished", txId: row.payout_tx_id, delivered: row.delivered };
}

/** Abandons an order's exchange that was not opened yet, so far as is known; false where it was, or there is none. */
export const abandonUnopened: AbandonUnopened = async (transaction, orderId) => {
  const { numUpdatedRows } = await transaction
    .updateTable("partner_exchanges")
    .set({ state: "abandoned", reason: "its order is refunded", next_attempt_at: null })
    .where("order_id", "=", orderId)
    .where("state", "=", "intended")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** The exchange as it is now, unlocked; null for an unknown id. */
export const loadExchange = async ({ database }: LiquidityParts, id: bigint): Promise<ExchangeRow | null> =>
  (await database.kysely.selectFrom("partner_exchanges").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** The exchange, locked until the transaction ends; throws for an unknown id. */
export const lockExchange = (transaction: Transaction<Schema>, id: bigint): Promise<ExchangeRow> =>
  transaction.selectFrom("partner_exchanges").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();

/** The instruments that an exchange at a partner is between. */
export const pairOf = ({ instrumentOf }: LiquidityParts, row: ExchangeRow): PartnerPair => ({
  from: instrumentOf(row.from_slug),
  to: instrumentOf(row.to_slug),
});

/** Makes an exchange due again in `seconds`; with null it stays idle until something makes it due. */
export async function scheduleExchange(
  db: Pick<Transaction<Schema>, "updateTable">,
  id: bigint,
  seconds: number | null,
): Promise<void> {
  const at = seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})`;
  await db.updateTable("partner_exchanges").set({ next_attempt_at: at }).where("id", "=", id).execute();
}

/** Makes the order due, so that it reads the end of its exchange. */
export const wakeOrder = (transaction: Transaction<Schema>, orderId: string): Promise<unknown> =>
  transaction
    .updateTable("orders")
    .set({ next_attempt_at: sql<Date>`now()` })
    .where("id", "=", orderId)
    .execute();

/**
 * Whether the payment to an exchange may be on its way: it has reserved a handle, or an attempt of it is alive, as one that was booked after a restore.
 * What it gave back unsigned was never anywhere. While an operator decides about dead attempts, what has excluded them may have paid it.
 */
export async function mayHaveLeft(db: Kysely<Schema>, exchangeId: bigint): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`
    select exists (select from payouts p where p.exchange_id = ${exchangeId} and (
      exists (select from payout_handles h where h.payout_id = p.id and h.released_at is null)
      or exists (select from payout_attempts a where a.payout_id = p.id and (a.status <> 'dead'
        or (p.state = 'review' and p.review_reason <> 'not_authorised'))))) as left`.execute(db);
  return rows[0]?.left === true;
}

/** Whether an id at a partner is that of another exchange of ours, archived ones included. */
export async function isTakenId(
  db: Kysely<Schema>,
  { partner }: Pick<ExchangeRow, "partner">,
  partnerId: string,
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from partner_exchanges where partner = ${partner} and partner_id = ${partnerId})
      or exists (select from archived_orders where document -> 'partner_exchanges' @>
        jsonb_build_array(jsonb_build_object('partner', ${partner}::text, 'partner_id', ${partnerId}::text))) as taken`.execute(
    db,
  );
  return rows[0]?.taken === true;
}

/** Whether an unknown payment was booked as this one, is gone and not decided again: where a block has it after all, its partner delivers. */
async function mayComeBack(db: Kysely<Schema>, payoutId: bigint): Promise<boolean> {
  const unbooked = db.selectFrom("unknown_payments").select("tx_id").where("unbooked_payout_id", "=", payoutId);
  return (await unbooked.where("decision", "is", null).executeTakeFirst()) !== undefined;
}

const RETRY_SECONDS = 5;

/**
 * Abandons an unpaid exchange; its order is then routed to another provider. Not possible while its payment has reserved a handle, because
 * that payment may be broadcast.
 */
export async function abandonExchange(parts: LiquidityParts, id: bigint, reason: string): Promise<void> {
  const given = await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, id);
      // A payment that was booked as its own, and is gone, had made it wait for a return.
      if (!["intended", "opened", "returning"].includes(locked.state)) return null;
      const funding = await transaction
        .selectFrom("payouts")
        .select("id")
        .where("exchange_id", "=", id)
        .forUpdate()
        .executeTakeFirst();
      if (funding !== undefined) {
        if ((await mayHaveLeft(transaction, id)) || (await mayComeBack(transaction, funding.id))) {
          await scheduleExchange(transaction, id, RETRY_SECONDS);
          return null;
        }
        await transaction
          .updateTable("payouts")
          .set({ state: "returned", next_attempt_at: null })
          .where("id", "=", funding.id)
          .execute();
      }
      await transaction
        .updateTable("partner_exchanges")
        .set({ state: "abandoned", reason, next_attempt_at: null })
        .where("id", "=", id)
        .execute();
      await wakeOrder(transaction, locked.order_id);
      return locked;
    },
    parts.probe,
  );
  if (given === null) return;
  parts.log.warn(
    { orderId: given.order_id, partner: given.partner, reason },
    "an unpaid exchange at a partner was abandoned",
  );
}
