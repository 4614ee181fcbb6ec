import { sql } from "kysely";
import { readTip } from "../chains/follower/index.ts";
import { takeDepositIndexes } from "../db/backup/deposit-indexes.ts";
import { inTransaction } from "../db/transaction.ts";
import { addressSpaceOf, type DepositAddress, type NetworkReader } from "../chains/port.ts";
import {
  abandonExchange,
  isTakenId,
  lockExchange,
  pairOf,
  scheduleExchange,
  type ExchangeRow,
  type LiquidityParts,
} from "./store.ts";
import type { ExchangeRequest, LiquidityPartner, OpenedExchange, PartnerPair } from "./port.ts";

/** How often opening is tried. Exchanges that were opened without our knowledge are never paid and expire at the partner. */
const MAX_OPENINGS = 5;
const REQUEST_SECONDS = 60;
const UNKNOWN_RETRY_SECONDS = 10;
const STOPPED_RETRY_SECONDS = 5;
const WATCH_SECONDS = 5;
/** A partner's clock may be behind ours. */
const CLOCK_SKEW_MS = 600_000;
/** An exchange must live long enough for its payment to arrive. */
const MIN_LIFETIME_MS = 1_800_000;

/**
 * Opens the intended exchange and stores its id and deposit address together with its one payment. An exchange whose opening had
 * an unknown result is looked up first; where the partner has no such call, another one is opened, because only a
 * stored exchange is ever paid.
 */
export async function openExchange(parts: LiquidityParts, partner: LiquidityPartner, row: ExchangeRow): Promise<void> {
  const pair = pairOf(parts, row);
  if (await isStopped(parts, pair)) return scheduleExchange(parts.database.kysely, row.id, STOPPED_RETRY_SECONDS);
  const refund = await refundAddressOf(parts, row);
  const request = await requestOf(parts, row, pair, refund);
  if (row.unknown_openings > 0) {
    const found = await partner.find(request, new Date(row.created_at.getTime() - CLOCK_SKEW_MS));
    if (found.kind === "found") return storeOpened(parts, row, pair, refund, found.exchange);
  }
  if (row.openings >= MAX_OPENINGS) return abandonExchange(parts, row.id, "no opening was answered");
  if (!(await beginOpening(parts, row))) return;
  const opening = await partner.open(request);
  switch (opening.kind) {
    case "opened":
      return storeOpened(parts, row, pair, refund, opening.exchange);
    case "refused":
      return abandonExchange(parts, row.id, `refused: ${opening.reason}`);
    case "unknown":
      parts.log.warn(
        { orderId: row.order_id, partner: row.partner, reason: opening.reason },
        "the result of an opening is unknown",
      );
      return scheduleExchange(parts.database.kysely, row.id, UNKNOWN_RETRY_SECONDS);
  }
}

async function isStopped(
  { switches, log, isStopReminderDue }: LiquidityParts,
  { from, to }: PartnerPair,
): Promise<boolean> {
  const reason = (await switches.stoppedNow("pay", from, "from")) ?? (await switches.stoppedNow("pay", to, "to"));
  if (reason !== null && isStopReminderDue(`${from.slug} ${to.slug} ${reason}`))
    log.warn({ from: from.slug, to: to.slug, reason }, "payments are stopped; exchanges wait");
  return reason !== null;
}

async function requestOf(
  { database }: LiquidityParts,
  row: ExchangeRow,
  pair: PartnerPair,
  refund: DepositAddress,
): Promise<ExchangeRequest> {
  const order = await database.kysely
    .selectFrom("orders")
    .select("client_key")
    .where("id", "=", row.order_id)
    .executeTakeFirstOrThrow();
  return {
    pair,
    clientId: row.client_id,
    amount: row.amount,
    destination: { address: row.to_address, memo: row.to_memo },
    refund,
    userIp: order.client_key,
  };
}

/** Committed before the request, so that a crash leaves an unknown opening behind. False when another process was faster. */
async function beginOpening(parts: LiquidityParts, row: ExchangeRow): Promise<boolean> {
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      if (locked.state !== "intended" || locked.openings !== row.openings) return false;
      await transaction
        .updateTable("partner_exchanges")
        .set({
          openings: row.openings + 1,
          unknown_openings: row.unknown_openings + 1,
          next_attempt_at: sql<Date>`now() + make_interval(secs => ${REQUEST_SECONDS})`,
        })
        .where("id", "=", row.id)
        .execute();
      return true;
    },
    parts.probe,
  );
}

async function storeOpened(
  parts: LiquidityParts,
  row: ExchangeRow,
  pair: PartnerPair,
  refund: DepositAddress,
  opened: OpenedExchange,
): Promise<void> {
  const deposit = canonical(parts.readers.get(pair.from.networkTitle), opened.deposit.address);
  const mismatch =
    deposit === null ? "its deposit address is invalid" : await mismatchOf(parts, row, refund, opened, deposit);
  if (deposit === null || mismatch !== null) {
    parts.log.error(
      { orderId: row.order_id, partner: row.partner, mismatch },
      "a partner's exchange does not match the request",
    );
    return abandonExchange(parts, row.id, `mismatch: ${mismatch}`);
  }
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      if (locked.state !== "intended") return;
      await transaction
        .updateTable("partner_exchanges")
        .set({
          state: "opened",
          unknown_openings: Math.max(0, locked.unknown_openings - 1),
          partner_id: opened.partnerId,
          deposit_address: deposit,
          deposit_memo: opened.deposit.memo,
          expires_at: opened.expiresAt,
          opened_at: sql<Date>`now()`,
          opened_height: await readTip(transaction, pair.to.networkTitle),
          next_attempt_at: sql<Date>`now() + make_interval(secs => ${WATCH_SECONDS})`,
        })
        .where("id", "=", row.id)
        .execute();
      await parts.intendPayout(
        transaction,
        {
          source: { exchangeId: row.id },
          purpose: "funding",
          network: pair.from.networkTitle,
          slug: pair.from.slug,
          toAddress: deposit,
          toMemo: opened.deposit.memo,
          amount: row.amount,
        },
        parts.clock.now(),
      );
    },
    parts.probe,
  );
}

/** How an opened exchange differs from the request; null when it does not. Nothing is paid before this check. */
async function mismatchOf(
  parts: LiquidityParts,
  row: ExchangeRow,
  refund: DepositAddress,
  opened: OpenedExchange,
  deposit: string,
): Promise<string | null> {
  const { from, to } = pairOf(parts, row);
  const [fromReader, toReader] = [parts.readers.get(from.networkTitle), parts.readers.get(to.networkTitle)];
  const isOther = (reader: NetworkReader | undefined, echoed: string | null, asked: string) =>
    echoed !== null && echoed !== asked && canonical(reader, echoed) !== asked;
  if (isOther(toReader, opened.destination, row.to_address)) return "it pays another address";
  if (isOther(fromReader, opened.refund, refund.address)) return "it returns to another address";
  if (opened.min !== null && row.amount < opened.min) return "the amount is under its minimum";
  if (opened.max !== null && row.amount > opened.max) return "the amount is over its maximum";
  // Real time: a partner's exchange does not follow the business clock.
  if (opened.expiresAt !== null && opened.expiresAt.getTime() < Date.now() + MIN_LIFETIME_MS)
    return "it expires too soon";
  if (deposit === parts.wallets.get(from.networkTitle)?.hotAddress()) return "its deposit address is the hot wallet";
  const { kysely } = parts.database;
  const ours = kysely
    .selectFrom("deposit_addresses")
    .select("address")
    .where("network", "=", from.networkTitle)
    .where("address", "=", deposit);
  if ((await ours.executeTakeFirst()) !== undefined) return "its deposit address is one of ours";
  return (await isTakenId(kysely, row, opened.partnerId)) ? "its id belongs to another exchange" : null;
}

/** Null where it is not an address of the network; unchanged where we run no node of the network. */
function canonical(reader: NetworkReader | undefined, address: string): string | null {
  if (reader === undefined) return address;
  const parsed = reader.parseAddress(address);
  return parsed.valid ? parsed.canonical : null;
}

/**
 * The refund address of an exchange: derived like a customer's deposit address and never reused, so that any deposit
 * there belongs to this exchange.
 */
async function refundAddressOf(parts: LiquidityParts, row: ExchangeRow): Promise<DepositAddress> {
  if (row.refund_address !== null) return { address: row.refund_address, memo: row.refund_memo };
  const network = parts.instrumentOf(row.from_slug).networkTitle;
  const reader = parts.readers.get(network);
  if (reader === undefined) throw new Error(`no reader for ${network}`);
  const [index] = await takeDepositIndexes(parts.database, addressSpaceOf(reader), 1);
  if (index === undefined) throw new Error("no index of a deposit address was taken");
  const address = await reader.depositAddress(index);
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      if (locked.refund_address !== null) return { address: locked.refund_address, memo: locked.refund_memo };
      await transaction
        .insertInto("deposit_addresses")
        .values({ network, ...address, derivation_index: index, order_id: null, exchange_id: row.id })
        .execute();
      await transaction
        .updateTable("partner_exchanges")
        .set({ refund_address: address.address, refund_memo: address.memo })
        .where("id", "=", row.id)
        .execute();
      return address;
    },
    parts.probe,
  );
}
