import { sql } from "kysely";
import { kyselyOf, type QuerySource } from "../../db/transaction.ts";

/** Of a row `t` of `unknown_sweeps`: which sweep of ours it is is not known yet. */
export const isOpenSweep = sql<boolean>`(t.payout_id is null and t.ended_at is null)`;

/** A sweep of this address and instrument that is on the chain already, and of which that is not known yet; null where there is none. */
export async function findOpenSweep(
  source: QuerySource,
  { network, address, slug }: { network: string; address: string; slug: string },
): Promise<string | null> {
  const { rows } = await sql<{ txId: string }>`
    select t.tx_id as "txId" from unknown_sweeps t
    where t.network = ${network} and t.address = ${address} and t.slug = ${slug} and ${isOpenSweep} limit 1`.execute(
    kyselyOf(source),
  );
  return rows[0]?.txId ?? null;
}
