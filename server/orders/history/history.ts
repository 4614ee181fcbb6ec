import { sql, type RawBuilder } from "kysely";
import { spanEnd, spanStart } from "#contract/fields.ts";
import type { OrderFilter, OrderStateFilter } from "#contract/accounts/order-history.ts";
import { createTurns, type TurnLimits } from "../../base/concurrency/turns.ts";
import type { Catalogue } from "../../catalogue/port.ts";
import type { OrderService } from "../port.ts";
import { readRowsOfOrders } from "../views/order-rows.ts";
import { presentOrder, type ReadParts } from "../views/read.ts";
import { csvOf } from "./csv.ts";

/** More rows than any tax tool takes at once, and few enough for one answer. */
const MAX_CSV_ORDERS = 5_000;
const CSV_STEP = 100;
/** A large one takes seconds: an account has one, and all together leave room for other calls. */
const CSV_TURNS: TurnLimits = { atATime: 2, waitMs: 10_000 };

/** Orders of an account, archived ones among them (contract §8). */
export function createOrderHistory(parts: ReadParts): Pick<OrderService, "history" | "historyCsv"> {
  const { database } = parts;
  const inTurn = createTurns(CSV_TURNS);
  const read = async (ids: readonly string[]) =>
    (await readRowsOfOrders(database, ids)).map((rows) => presentOrder(parts, rows));
  return {
    async history(userId, { offset, limit, ...filter }) {
      const { ids, total } = await find(parts, userId, { ...filter, offset: Number(offset), limit: Number(limit) });
      return { items: await read(ids), total };
    },
    historyCsv: (userId, filter) =>
      inTurn(`${userId}`, async () => {
        const { ids } = await find(parts, userId, { ...filter, offset: 0, limit: MAX_CSV_ORDERS });
        const orders = [];
        for (let at = 0; at < ids.length; at += CSV_STEP) orders.push(...(await read(ids.slice(at, at + CSV_STEP))));
        return csvOf(orders);
      }),
  };
}

type Asked = OrderFilter & { offset: number; limit: number };

/** The ids of one part of the list, the newest first, and how many the whole has; by the index on the account alone. */
async function find(
  { database, catalogue }: Pick<ReadParts, "database" | "catalogue">,
  userId: bigint,
  { offset, limit, state, from, to, search = "", orderIds }: Asked,
): Promise<{ ids: string[]; total: number }> {
  const conditions = [
    sql`true`,
    ...(state === undefined ? [] : [isIn(state)]),
    ...(from === undefined ? [] : [sql`created_at >= ${spanStart(from)}::timestamptz`]),
    ...(to === undefined ? [] : [sql`created_at < ${spanEnd(to)}::timestamptz`]),
    ...(search.trim() === "" ? [] : [isFoundBy(search, catalogue)]),
    ...(orderIds === undefined ? [] : [sql`id = any(${orderIds.split(",")}::text[])`]),
  ];
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with found as (
      select id, created_at from (
        select id, created_at, state, reference, from_slug, to_slug from orders where user_id = ${userId}
        union all select id, created_at, state, reference, document#>>'{orders,0,from_slug}', document#>>'{orders,0,to_slug}'
        from archived_orders where user_id = ${userId}
      ) own where ${sql.join(conditions, sql` and `)}
    )
    select (select count(*)::int from found) as total,
      array(select id from found order by created_at desc, id limit ${limit} offset ${offset}) as ids`.execute(
    database.kysely,
  );
  return rows[0] ?? { ids: [], total: 0 };
}

const OVER: Partial<Record<OrderStateFilter, string>> = {
  COMPLETED: "completed",
  REFUNDED: "refunded",
  EXPIRED: "expired",
};

function isIn(state: OrderStateFilter): RawBuilder<unknown> {
  const over = OVER[state];
  return over === undefined ? sql`state <> all(${Object.values(OVER)}::text[])` : sql`state = ${over}`;
}

/** The reference begins so, hyphens aside, or a coin's ticker or name does. */
function isFoundBy(search: string, { instruments }: Catalogue): RawBuilder<unknown> {
  const text = search.trim().toLowerCase();
  const reference = text.toUpperCase().replaceAll(/[^0-9A-Z]/g, "");
  const slugs = [...instruments.values()]
    .filter((one) => [one.currencyTitle, one.currencyFriendlyTitle].some((name) => name.toLowerCase().startsWith(text)))
    .map(({ slug }) => slug);
  const isReference = reference === "" ? sql`false` : sql`starts_with(replace(reference, '-', ''), ${reference})`;
  return sql`(${isReference} or from_slug = any(${slugs}::text[]) or to_slug = any(${slugs}::text[]))`;
}
