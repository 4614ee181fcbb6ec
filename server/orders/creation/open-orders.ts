import { CompiledQuery, type Transaction } from "kysely";
import { toMinor } from "#contract/money.ts";
import type { Locale } from "#contract/locale.ts";
import { grouped } from "../../base/concurrency/grouped.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { commitStatement, mayFailForOneRow, type Statement, type TransactionProbe } from "../../db/transaction.ts";
import { isOursSql } from "../../treasury/index.ts";
import { isBlacklistedSql, listedAs } from "../../blacklist/index.ts";
import { isCardOrder } from "../decisions/decide-card.ts";
import { unpaidUntil } from "../decisions/decide.ts";
import { exposureOf } from "../decisions/decide-exposure.ts";
import { encodeEventData, encodeState, type DomainEvent, type OrderState } from "../decisions/order.ts";

/** Orders that one statement opens. */
const AT_ONCE = 32;
/** One that hangs leaves the others their connections. */
const STATEMENTS = 4;

export type NewOrder = {
  id: string;
  reference: string;
  state: OrderState;
  events: DomainEvent[];
  /** Null where the address to pay to is not ours. */
  depositIndex: bigint | null;
  clientKey: string;
  clientNetwork: string | null;
  /** A digest of the browser and the address; null where no browser was named. */
  clientHash: string | null;
  locale: Locale;
  userEmail: string | null;
  userId: bigint | null;
  referrerId: string | null;
  utmData: Record<string, unknown> | null;
  at: Date;
};

/**
 * Which of an order's addresses is one of ours, whether an address or its email is blacklisted, and whether its account was deleted
 * meanwhile: then nothing was stored.
 */
export type Opened = {
  isDestinationOurs: boolean;
  isRefundOurs: boolean;
  isBlacklisted: boolean;
  isOwnerGone: boolean;
};

type Row = { pays_us: boolean; refunds_us: boolean; blacklisted: boolean; owner_gone: boolean };

/**
 * Opens an order with its first event and its deposit address in a transaction by itself; orders that are opened at the same time share a
 * statement. Throws as `commitStatement` does.
 */
export function createOrderOpener(database: Database, probe?: TransactionProbe): (order: NewOrder) => Promise<Opened> {
  return grouped(async (orders) => (await commitStatement<Row>(database, insertOrders(orders), probe)).map(read), {
    size: AT_ONCE,
    runs: STATEMENTS,
    gathers: true,
    mayFailForOne: mayFailForOneRow,
  });
}

/** The same within a transaction. */
export async function openOrder(transaction: Transaction<Schema>, order: NewOrder): Promise<Opened> {
  const { text, values } = insertOrders([order]);
  const { rows } = await transaction.executeQuery<Row>(CompiledQuery.raw(text, values));
  if (rows[0] === undefined) throw new Error("an order was not opened");
  return read(rows[0]);
}

const read = (row: Row): Opened => ({
  isDestinationOurs: row.pays_us,
  isRefundOurs: row.refunds_us,
  isBlacklisted: row.blacklisted,
  isOwnerGone: row.owner_gone,
});

const insertOrders = (orders: readonly NewOrder[]): Statement => ({
  name: "insert_order",
  text: INSERT_ORDERS,
  values: [JSON.stringify(orders.map(toRow))],
});

/** As columns, with amounts and whole numbers as text. */
function toRow(order: NewOrder, n: number): Record<string, unknown> {
  const { state, at, userEmail } = order;
  const { from, to, rateMode, deposit, destination, refund } = state.terms;
  const [first, ...more] = order.events;
  const nothing = toMinor<"from">(0n);
  const exposure = exposureOf(state, { standing: nothing, mined: nothing });
  if (first === undefined || more.length > 0) throw new Error("an order begins with one event");
  const snapshot = encodeState(state);
  // The terms are most of both, and encoding them is most of the work.
  const isOfTerms = first.kind === "CREATION_END" && first.data.terms === state.terms;
  return {
    n,
    id: order.id,
    reference: order.reference,
    state: state.kind,
    snapshot,
    from_slug: from.slug,
    to_slug: to.slug,
    rate_mode: rateMode,
    client_key: order.clientKey,
    client_network: order.clientNetwork,
    client_hash: order.clientHash,
    locale: order.locale,
    user_email: userEmail,
    email_set_at: userEmail === null ? null : at,
    referrer_id: order.referrerId,
    utm_data: order.utmData,
    created_at: at,
    user_id: order.userId?.toString(),
    unpaid_until: isCardOrder(state) ? null : unpaidUntil(state.terms),
    exposed_until: exposure?.until,
    exposed_amount: exposure?.amount.toString(),
    network: from.networkTitle,
    address: deposit.address,
    memo: deposit.memo,
    derivation_index: order.depositIndex?.toString(),
    to_network: to.networkTitle,
    to_address: destination.address,
    refund_address: refund?.address,
    listed_as: [destination.address, refund?.address, userEmail].flatMap((value) => (value ? [listedAs(value)] : [])),
    event_kind: first.kind,
    event_data: isOfTerms ? { terms: snapshot["terms"] } : encodeEventData(first),
    event_at: first.at,
  };
}

const ORDER_COLUMNS = `id, reference, state, snapshot, from_slug, to_slug, rate_mode, client_key, client_network, client_hash, locale,
  user_email, email_set_at, referrer_id, utm_data, created_at, user_id, unpaid_until, exposed_until, exposed_amount`;

/**
 * One value, however many orders: so it is planned once for each connection. The lock waits for a deletion of the account and keeps the next
 * one out, so that no order of a deleted account is left with its email.
 */
const INSERT_ORDERS = `
  with given as materialized (
    select g.*, ${isOursSql("g.to_network", "g.to_address")} as pays_us,
      g.refund_address is not null and ${isOursSql("g.network", "g.refund_address")} as refunds_us,
      ${isBlacklistedSql("g.listed_as")} as blacklisted
    from jsonb_to_recordset($1::jsonb) as g (n int, id text, reference text, state text, snapshot jsonb, from_slug text,
      to_slug text, rate_mode text, client_key text, client_network text, client_hash text, locale text, user_email text,
      email_set_at timestamptz, referrer_id text, utm_data jsonb, created_at timestamptz, user_id bigint,
      unpaid_until timestamptz, exposed_until timestamptz, exposed_amount numeric, network text, address text, memo text,
      derivation_index bigint, to_network text, to_address text, refund_address text, listed_as text[], event_kind text, event_data jsonb,
      event_at timestamptz)
  ), owners as materialized (
    select id from users where id = any(array(select user_id from given where user_id is not null)) and deleted_at is null order by id for key share
  ), opened as (
    select * from given where not pays_us and not refunds_us and not blacklisted and (user_id is null or user_id in (select id from owners))
  ), made as (
    insert into orders (version, ${ORDER_COLUMNS}) select 1, ${ORDER_COLUMNS} from opened
  ), addressed as (
    insert into deposit_addresses (network, address, memo, derivation_index, order_id)
    select network, address, memo, derivation_index, id from opened where derivation_index is not null
  ), noted as (
    insert into order_events (order_id, seq, kind, data, at) select id, 1, event_kind, event_data, event_at from opened
  )
  select pays_us, refunds_us, blacklisted, user_id is not null and user_id not in (select id from owners) as owner_gone from given order by n`;
