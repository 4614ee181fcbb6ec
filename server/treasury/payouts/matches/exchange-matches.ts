import { sql, type Kysely } from "kysely";
import { OperatorError } from "../../../admin/index.ts";
import type { Schema } from "../../../db/schema.ts";
import { maySendToExchange } from "./payment-matches.ts";

/** An exchange at a partner that is still to be opened and paid, as far as the rows know; `isHidden`: the payment doesn't show whom it pays. */
type UnopenedExchange = { id: string; partner: string; isHidden: boolean };

/** So many are named where nothing shows what was paid. */
const MAX_NAMED = 10;

/** The exchanges that an undecided unknown payment may have paid: they were opened after the backup that was restored. */
export async function exchangesPaidBy(
  db: Kysely<Schema>,
  { network, txId }: { network: string; txId: string },
): Promise<UnopenedExchange[]> {
  const { rows } = await sql<UnopenedExchange & { isAny: boolean }>`
    select e.id::text, e.partner, u.pays is null as "isHidden", u.pays is null and u.sent_amount is null as "isAny"
    from unknown_payments u join partner_exchanges e on e.state = 'intended' join orders o on o.id = e.order_id
    where u.network = ${network} and u.tx_id = ${txId} and u.decision is null and o.snapshot#>>'{terms,from,networkTitle}' = u.network
      and ${maySendToExchange}
    order by e.id`.execute(db);
  return rows.filter(({ isAny }, at) => !isAny || at < MAX_NAMED);
}

/** What an operator may say of them, as `held` and errors name it; empty where there are none. */
export const adoptionTexts = (exchanges: readonly UnopenedExchange[], txId: string): string[] =>
  exchanges.map(
    ({ id, partner, isHidden }) =>
      `may have paid exchange ${id} at ${partner}: "exchange adopt ${id} ${txId} ID-AT-${partner.toUpperCase()} REASON --as NAME${isHidden ? " --to ADDRESS" : ""}" once ${partner} says so`,
  );

/**
 * Throws `OperatorError` where an unknown payment has sent an order's exchange just what it is to be paid, to another address than `to` or the
 * order's refund address, or to one that the chain hides: a partner was paid, and what it delivers can't be refunded as well.
 */
export async function requireUnfunded(db: Kysely<Schema>, orderId: string | null, to: string | null): Promise<void> {
  const { rows } = await sql<UnopenedExchange & { txId: string }>`
    select e.id::text, e.partner, u.tx_id as "txId", u.pays is null as "isHidden" from partner_exchanges e join orders o on o.id = e.order_id
    join unknown_payments u on u.decision is null and u.network = o.snapshot#>>'{terms,from,networkTitle}'
    where e.order_id = ${orderId} and e.state = 'intended' and ${maySendToExchange}
      and (u.pays is null or exists (select from jsonb_array_elements(u.pays) x
        where x->>'slug' = e.from_slug and (x->>'amount')::numeric = e.amount
          and x->>'to' is distinct from coalesce(${to}::text, o.snapshot#>>'{terms,refund,address}')))
    limit 1`.execute(db);
  const [funded] = rows;
  if (funded === undefined) return;
  const otherwise = funded.isHidden ? "; where no partner has got it, say --unfunded" : "";
  throw new OperatorError(`${funded.txId} ${adoptionTexts([funded], funded.txId).join("")}${otherwise}.`);
}
