import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { feeInstrument, type Catalogue } from "../../catalogue/index.ts";
import type { NetworkWallet } from "../../chains/port.ts";
import type { AvailableBalances } from "../port.ts";

/** A stored balance is valid for this long; after that the balance is unknown, and only a payment finds a shortage. */
const VALID_SECONDS = 120;

/** Stores the balances of a hot wallet; only the worker role can read them. */
export async function storeHotBalances(
  database: Database,
  wallet: NetworkWallet,
  slugs: readonly string[],
): Promise<void> {
  const amounts: bigint[] = [];
  for (const slug of slugs) amounts.push(await wallet.hotBalance(slug));
  await sql`
    insert into hot_balances (slug, amount, at)
    select slug, amount, now() from unnest(${slugs}::text[], ${amounts}::numeric[]) as read (slug, amount)
    on conflict (slug) do update set amount = excluded.amount, at = excluded.at`.execute(database.kysely);
}

/** Stores zero for instruments without an opening balance: a payment would be booked before the balance that it spends. */
export async function withholdBalances(database: Database, slugs: readonly string[]): Promise<void> {
  await sql`
    insert into hot_balances (slug, amount, at) select slug, 0, now() from unnest(${slugs}::text[]) as asked (slug)
    where not exists (select 1 from ledger_transfers t where t.kind = 'opening' and t.source_id = asked.slug)
    on conflict (slug) do update set amount = excluded.amount, at = excluded.at`.execute(database.kysely);
}

export type AvailableBalancesParts = {
  catalogue: Pick<Catalogue, "instruments" | "terms">;
  /** By `network:slug`: what a payment costs, in minor units of the network's coin; empty while unknown. */
  fees(): ReadonlyMap<string, bigint>;
  /** The business clock. */
  now(): Date;
};

/**
 * What the hot wallets can still promise: their balances less the payments that are not mined, less what open orders were promised, less
 * the gas for both (engine law 16). A token without gas can't be promised at all.
 */
export function createAvailableBalances(database: Database, parts: AvailableBalancesParts): AvailableBalances {
  let known = new Map<string, bigint>();
  return {
    available: (slug) => known.get(slug) ?? null,
    promise(slug, amount) {
      const left = known.get(slug);
      if (left !== undefined) known.set(slug, left > amount ? left - amount : 0n);
    },
    async refresh() {
      const rows = await readClaims(database, parts);
      const claimed = new Map(rows.map((row) => [row.slug, row]));
      const left = new Map<string, bigint>();
      for (const { slug, held, owed } of rows) if (held !== null) left.set(slug, held - owed);
      const gas = gasOf(parts);
      for (const { slug, coin, fee } of gas) {
        const balance = left.get(coin);
        if (balance !== undefined) left.set(coin, balance - fee * (claimed.get(slug)?.payments ?? 0n));
      }
      const broke = new Set(gas.flatMap(({ slug, coin, fee }) => ((left.get(coin) ?? fee) < fee ? [slug] : [])));
      known = new Map([...left].map(([slug, amount]) => [slug, amount > 0n && !broke.has(slug) ? amount : 0n]));
    },
  };
}

/** The coin that pays for a payment of each instrument, and how much of it. */
function gasOf({ catalogue, fees }: AvailableBalancesParts): { slug: string; coin: string; fee: bigint }[] {
  const known = fees();
  return [...catalogue.instruments.values()].flatMap(({ slug, networkTitle }) => {
    const coin = feeInstrument(catalogue, networkTitle)?.slug;
    return coin === undefined ? [] : [{ slug, coin, fee: known.get(`${networkTitle}:${slug}`) ?? 0n }];
  });
}

type Claim = {
  slug: string;
  /** What the wallet held at its last check; null while that is unknown. */
  held: bigint | null;
  /** What payments and open orders will take of it, and how many they are. */
  owed: bigint;
  payments: bigint;
};

/**
 * An unpaid order keeps its reservation for the time of a rate lock: a fixed one is promised its amount until then, and a floating one
 * that is paid later finds what there is. An order that a partner fills takes nothing.
 */
function readClaims(database: Database, { catalogue, now }: AvailableBalancesParts): Promise<Claim[]> {
  const since = new Date(now().getTime() - catalogue.terms.fixedHoldSeconds * 1000);
  const amountTo = sql<bigint>`(o.snapshot->'terms'->'quoted'->>'amountTo')::numeric`;
  return sql<Claim>`
    with claims as (
      select p.slug, p.amount from payouts p
      where p.state in ('intended', 'broadcast', 'review') and p.purpose <> 'sweep' and p.route = 'treasury'
      union all
      select o.to_slug, ${amountTo} from orders o
      where o.state = 'awaiting_deposit' and o.created_at > ${since} and not o.snapshot->'terms' ? 'provider'
      union all
      select o.to_slug, coalesce((o.snapshot->'accepted'->>'amount')::numeric, (o.snapshot->'offer'->>'amount')::numeric, ${amountTo})
      from orders o
      where o.state in ('confirming', 'awaiting_choice')
        and o.state not in ('awaiting_deposit', 'expired', 'completed', 'refunded') and not o.snapshot->'terms' ? 'provider'
    ), sums as (
      select slug, sum(amount) as owed, count(*) as payments from claims group by slug
    )
    select slug, b.amount as held, coalesce(s.owed, 0) as owed, coalesce(s.payments, 0)::numeric as payments
    from (select slug, amount from hot_balances where at > now() - make_interval(secs => ${VALID_SECONDS})) b
    full join sums s using (slug)`
    .execute(database.kysely)
    .then(({ rows }) => rows);
}
