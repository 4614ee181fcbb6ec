import { sql, type Kysely } from "kysely";
import type { Schema } from "../../db/schema.ts";

/** An exchange at a partner that is still to be opened and paid, as far as the rows know. */
type UnopenedExchange = { id: string; partner: string };

/** The exchanges that an undecided unknown payment may have paid: they were opened after the backup that was restored. */
export async function exchangesPaidBy(
  db: Kysely<Schema>,
  { network, txId }: { network: string; txId: string },
): Promise<UnopenedExchange[]> {
  const { rows } = await sql<UnopenedExchange>`
    select e.id::text, e.partner from unknown_payments u join partner_exchanges e on e.state = 'intended' join orders o on o.id = e.order_id
    where u.network = ${network} and u.tx_id = ${txId} and u.decision is null and o.snapshot#>>'{terms,from,networkTitle}' = u.network
      and exists (select from jsonb_array_elements(u.pays) x where x->>'slug' = e.from_slug and (x->>'amount')::numeric = e.amount)
    order by e.id limit 10`.execute(db);
  return rows;
}

/** What an operator may say of them, as `held` and errors name it; empty where there are none. */
export const adoptionTexts = (exchanges: readonly UnopenedExchange[], txId: string): string[] =>
  exchanges.map(
    ({ id, partner }) =>
      `may have paid exchange ${id} at ${partner}: "exchange adopt ${id} ${txId} ID-AT-${partner.toUpperCase()} REASON --as NAME" once ${partner} says so`,
  );
