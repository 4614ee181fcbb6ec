import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { NetworkWallet } from "../chains/port.ts";
import type { AvailableBalances } from "./port.ts";

/** A stored balance is valid for this long; after that the balance is unknown, and only a payment finds a shortage. */
const VALID_SECONDS = 120;

/** Stores the balances of a hot wallet; only the worker role can read them. */
export async function storeHotBalances(
  database: Database,
  wallet: NetworkWallet,
  slugs: readonly string[],
): Promise<void> {
  for (const slug of slugs) {
    const amount = await wallet.hotBalance(slug);
    await sql`
      insert into hot_balances (slug, amount, at) values (${slug}, ${amount}, now())
      on conflict (slug) do update set amount = excluded.amount, at = excluded.at`.execute(database.kysely);
  }
}

/** Stores zero for instruments without an opening balance: a payment would be booked before the balance that it spends. */
export async function withholdBalances(database: Database, slugs: readonly string[]): Promise<void> {
  await sql`
    insert into hot_balances (slug, amount, at) select slug, 0, now() from unnest(${slugs}::text[]) as asked (slug)
    where not exists (select 1 from ledger_transfers t where t.kind = 'opening' and t.source_id = asked.slug)
    on conflict (slug) do update set amount = excluded.amount, at = excluded.at`.execute(database.kysely);
}

/** Hot balances less the payments that are intended or broadcast but not yet mined. */
export function createAvailableBalances(database: Database): AvailableBalances {
  let known = new Map<string, bigint>();
  return {
    available: (slug) => known.get(slug) ?? null,
    async refresh() {
      const { rows } = await sql<{ slug: string; left: bigint }>`
        select s.slug, s.amount - coalesce(sum(p.amount), 0) as left
        from hot_balances s left join payouts p on p.slug = s.slug and p.state in ('intended', 'broadcast')
          and p.purpose <> 'sweep' and p.route = 'treasury'
        where s.at > now() - make_interval(secs => ${VALID_SECONDS})
        group by s.slug, s.amount`.execute(database.kysely);
      known = new Map(rows.map(({ slug, left }) => [slug, left > 0n ? left : 0n]));
    },
  };
}
