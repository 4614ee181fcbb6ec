import { sql, type Transaction } from "kysely";
import type { PartnerOrderState } from "#contract/partner-api.ts";
import { CodedError } from "#contract/errors.ts";
import { unknownCursor } from "../base/cursor.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import type { OrderState } from "./decisions/order.ts";
import type { PartnerClient, PartnerOrder, PartnerOrderQuery, PartnerOrderPage } from "./port.ts";
import { readRowsOfOrders, type OrderRows } from "./views/order-rows.ts";
import { presentOrder, type ReadParts } from "./views/read.ts";

/** Notes whose order it is, in the transaction that opens it. ERR_UNPROCESSABLE_ENTITY for an externalId that the account has used. */
export async function storePartnerOrder(
  transaction: Transaction<Schema>,
  orderId: string,
  { userId, externalId, markupBps }: PartnerClient,
  at: Date,
): Promise<void> {
  // Locked, so that the account neither ends nor is joined to another one without it.
  const { rows } = await sql`select from users where id = ${userId} and deleted_at is null for key share`.execute(
    transaction,
  );
  if (rows.length === 0) throw new CodedError("ERR_UNAUTHORIZED", "The account is no longer there");
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("partner_orders")
    .values({
      order_id: orderId,
      user_id: userId,
      external_id: externalId,
      markup_bps: Number(markupBps),
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(["user_id", "external_id"]).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n)
    throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Another order has this externalId", {
      data: { externalId: "is that of another order" },
    });
}

type Row = { cursor: string; order_id: string; external_id: string | null; markup_bps: number };

export async function findPartnerOrder(
  parts: ReadParts,
  userId: bigint,
  orderId: string,
): Promise<PartnerOrder | null> {
  const row = await parts.database.kysely
    .selectFrom("partner_orders")
    .select(["cursor", "order_id", "external_id", "markup_bps"])
    .where("order_id", "=", orderId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row === undefined ? null : ((await present(parts, [row]))[0] ?? null);
}

/** A part of an account's orders, the newest first. ERR_VALIDATION for a cursor that is none of them. */
export async function listPartnerOrders(
  parts: ReadParts,
  userId: bigint,
  query: PartnerOrderQuery,
): Promise<PartnerOrderPage> {
  const rows = await findRows(parts.database, userId, query);
  const listed = rows.slice(0, query.limit);
  // One more than fits says that there is a next part.
  const next = rows.length > query.limit ? (listed.at(-1)?.cursor ?? null) : null;
  return { items: await present(parts, listed), next };
}

async function findRows(database: Database, userId: bigint, query: PartnerOrderQuery): Promise<Row[]> {
  const { from, to, state, externalId, after, limit } = query;
  const before = await cursorPosition(database, userId, after);
  const conditions = [
    sql`p.user_id = ${userId}`,
    ...(before === null ? [] : [sql`p.n < ${before}`]),
    ...(from === null ? [] : [sql`p.created_at >= ${from}`]),
    ...(to === null ? [] : [sql`p.created_at < ${to}`]),
    ...(externalId === null ? [] : [sql`p.external_id = ${externalId}`]),
    ...(state === null ? [] : [isIn(state)]),
  ];
  const { rows } = await sql<Row>`
    select p.cursor, p.order_id, p.external_id, p.markup_bps from partner_orders p
    left join orders o on o.id = p.order_id left join archived_orders a on a.id = p.order_id
    where ${sql.join(conditions, sql` and `)} order by p.n desc limit ${limit + 1}`.execute(database.kysely);
  return rows;
}

async function cursorPosition(database: Database, userId: bigint, cursor: string | null): Promise<bigint | null> {
  if (cursor === null) return null;
  const row = await database.kysely
    .selectFrom("partner_orders")
    .select("n")
    .where("cursor", "=", cursor)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (row === undefined) throw unknownCursor();
  return row.n;
}

const WAITS_FOR_CUSTOMER = ["under_minimum", "over_maximum"];

const isIn = (state: PartnerOrderState) => {
  const kinds = KINDS.filter(([, reported]) => reported === state).map(([kind]) => kind);
  const isWaiting = sql`coalesce(o.waiting_for = any(${WAITS_FOR_CUSTOMER}::text[]), false)`;
  const isOfKind = sql`coalesce(o.state, a.state) = any(${kinds}::text[])`;
  return state === "INFO_NEEDED" ? sql`(${isOfKind} or ${isWaiting})` : sql`(${isOfKind} and not ${isWaiting})`;
};

const STATES: Readonly<Record<OrderState["kind"], PartnerOrderState>> = {
  awaiting_deposit: "PENDING",
  confirming: "PROCESSING",
  awaiting_choice: "INFO_NEEDED",
  paying: "PROCESSING",
  rerouting: "PROCESSING",
  refund_requested: "PROCESSING",
  refunding: "PROCESSING",
  completed: "COMPLETED",
  refunded: "REFUNDED",
  expired: "EXPIRED",
};
const KINDS = Object.entries(STATES);

/** What an order is for whoever has to act on it: a customer's choice or top-up is `INFO_NEEDED`. */
const stateOf = ({ state, wait }: OrderRows): PartnerOrderState =>
  wait !== null && WAITS_FOR_CUSTOMER.includes(wait) ? "INFO_NEEDED" : STATES[state.kind];

/** Of any order, whoever made it. */
export async function findPartnerState(database: Database, orderId: string): Promise<PartnerOrderState | null> {
  const [order] = await readRowsOfOrders(database, [orderId]);
  return order === undefined ? null : stateOf(order);
}

async function present(parts: ReadParts, rows: readonly Row[]): Promise<PartnerOrder[]> {
  const byId = new Map(rows.map((row) => [row.order_id, row]));
  const found = await readRowsOfOrders(parts.database, [...byId.keys()]);
  return found.flatMap((order) => {
    const row = byId.get(order.id);
    if (row === undefined) return [];
    const { external_id: externalId, markup_bps: markupBps } = row;
    return [{ order: presentOrder(parts, order), state: stateOf(order), externalId, markupBps }];
  });
}
