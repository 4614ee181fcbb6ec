import { sql } from "kysely";
import { minOf } from "#contract/money.ts";
import type { RateMode } from "#contract/rate.ts";
import type { Database } from "../../db/database.ts";
import { feeInstrument, type Catalogue } from "../../catalogue/index.ts";
import type { NetworkWallet } from "../../chains/port.ts";
import type { AvailableBalances } from "../port.ts";

/** A stored balance is valid for this long; after that the balance is unknown, and only a payment finds a shortage. */
const VALID_SECONDS = 120;

/** What a hot wallet holds, in minor units, and whether it is marked as above its cap. */
export type StoredBalance = { slug: string; amount: bigint; isOverCap: boolean };

/** Stores the balances of a hot wallet; only the worker role can read them. */
export async function storeHotBalances(
  database: Database,
  wallet: NetworkWallet,
  slugs: readonly string[],
): Promise<StoredBalance[]> {
  const amounts: bigint[] = [];
  for (const slug of slugs) amounts.push(await wallet.hotBalance(slug));
  const { rows } = await sql<StoredBalance>`
    insert into hot_balances (slug, amount, at)
    select slug, amount, now() from unnest(${slugs}::text[], ${amounts}::numeric[]) as read (slug, amount)
    on conflict (slug) do update set amount = excluded.amount, at = excluded.at
    returning slug, amount, over_cap is not null as "isOverCap"`.execute(database.kysely);
  return rows;
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
 * What the hot wallets can still promise: their balances less what is in suspense, less the payments that are not mined, less what open orders were promised, less
 * the gas for both (engine law 16). A token without gas can't be promised at all; the gas of unpaid orders takes half of a coin at most,
 * or whoever makes enough of them would close every pair of its network.
 */
export function createAvailableBalances(database: Database, parts: AvailableBalancesParts): AvailableBalances {
  let known = new Map<string, Balance>();
  return {
    available(slug, rateMode) {
      const balance = known.get(slug);
      return balance === undefined ? null : leftOf(balance, rateMode);
    },
    promise(slug, amount, rateMode) {
      const balance = known.get(slug);
      if (balance === undefined) return;
      known.set(slug, { ...balance, [rateMode]: balance[rateMode] + amount });
    },
    async refresh() {
      const rows = await readClaims(database, parts);
      const claimed = new Map(rows.map((row) => [row.slug, row]));
      const left = new Map<string, bigint>();
      for (const { slug, held, owed } of rows) if (held !== null) left.set(slug, held - owed);
      const gas = gasOf(parts);
      const gasFor = (coin: string, count: "owedPayments" | "openPayments") =>
        gas.reduce((sum, one) => sum + (one.coin === coin ? one.fee * (claimed.get(one.slug)?.[count] ?? 0n) : 0n), 0n);
      for (const coin of new Set(gas.map((one) => one.coin))) {
        const balance = left.get(coin);
        if (balance === undefined) continue;
        const rest = balance - gasFor(coin, "owedPayments");
        left.set(coin, rest - minOf(gasFor(coin, "openPayments"), positive(rest) / 2n));
      }
      const broke = new Set(gas.flatMap(({ slug, coin, fee }) => ((left.get(coin) ?? fee) < fee ? [slug] : [])));
      known = new Map(
        [...left].map(([slug, amount]) => {
          const { fixed = 0n, floating = 0n } = claimed.get(slug) ?? {};
          return [slug, { free: broke.has(slug) ? 0n : amount, FIXED: fixed, FLOATING: floating }];
        }),
      );
    },
  };
}

/** What is not owed to anybody, and what of it unpaid orders were promised. */
type Balance = { free: bigint } & Record<RateMode, bigint>;

/**
 * Whoever makes orders and pays none may not take everything from those who do: fixed rates are promised of at most half of what is free,
 * and unpaid floating orders, who find what there is once they are paid, keep at most half of the rest.
 */
function leftOf({ free, FIXED: fixed, FLOATING: floating }: Balance, rateMode: RateMode): bigint {
  const rest = positive(free - fixed);
  const left = rest - minOf(floating, rest / 2n);
  return rateMode === "FIXED" ? minOf(left, positive(free / 2n - fixed)) : left;
}

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

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
  /** What payments, and orders for what they have received, will take of it. */
  owed: bigint;
  /** What orders were promised beyond that, by their rate mode. */
  fixed: bigint;
  floating: bigint;
  /** How many payments will be for what is owed, and how many for orders that nobody has paid. */
  owedPayments: bigint;
  openPayments: bigint;
};

/**
 * An order takes what it was promised for what blocks have paid of it: a part of the deposit costs little and may stay alone for ever, and
 * what a mempool shows can be withdrawn. The rest stays promised for the time of a rate lock, or while a mempool shows it: a floating order
 * that is paid later finds what there is. One that a partner fills takes nothing.
 */
function readClaims(database: Database, { catalogue, now }: AvailableBalancesParts): Promise<Claim[]> {
  const since = new Date(now().getTime() - catalogue.terms.rateLockSeconds * 1000);
  const amountTo = sql`(o.snapshot->'terms'->'quoted'->>'amountTo')::numeric`;
  const claimed = sql`(o.snapshot->'terms'->>'claimedDepositAmount')::numeric`;
  const ofOffer = (field: string) =>
    sql`(o.snapshot->'accepted'->>${sql.lit(field)})::numeric, (o.snapshot->'offer'->>${sql.lit(field)})::numeric`;
  return sql<Claim>`
    with claims as (
      select p.slug, p.amount as owed, 0::numeric as open, null as rate_mode from payouts p
      where p.state in ('intended', 'broadcast', 'review') and p.purpose not in ('sweep', 'consolidation') and p.route = 'treasury' and p.arrived is null
      union all
      select o.to_slug, 0, ${amountTo}, o.rate_mode from orders o
      where o.state = 'awaiting_deposit' and o.created_at > ${since} and not o.snapshot->'terms' ? 'provider'
      union all
      select o.to_slug, taken.owed, greatest(0, taken.whole - taken.owed), o.rate_mode
      from orders o
      cross join lateral (
        select coalesce(${ofOffer("amount")}, ${amountTo}) as amount,
          coalesce(${ofOffer("received")}, ${claimed}) as received
      ) promised
      cross join lateral (
        select coalesce(sum(d.amount) filter (where d.block_height is not null), 0) as mined, coalesce(sum(d.amount), 0) as seen
        from deposits d where d.order_id = o.id and d.slug = o.from_slug and d.review_reason is null
          and (d.block_height is not null or d.in_mempool)
      ) paid
      cross join lateral (
        select ceil(promised.amount * paid.mined / promised.received) as owed,
          case when o.created_at > ${since} then promised.amount
            else ceil(promised.amount * paid.seen / promised.received) end as whole
      ) taken
      where o.state in ('confirming', 'awaiting_choice')
        and not o.snapshot->'terms' ? 'provider'
    ), sums as (
      select slug, sum(owed) as owed, coalesce(sum(open) filter (where rate_mode = 'FIXED'), 0) as fixed,
        coalesce(sum(open) filter (where rate_mode = 'FLOATING'), 0) as floating,
        count(*) filter (where owed > 0) as owed_payments, count(*) filter (where owed = 0 and open > 0) as open_payments
      from claims group by slug
    )
    select slug, b.amount as held, coalesce(s.owed, 0) as owed, coalesce(s.fixed, 0) as fixed,
      coalesce(s.floating, 0) as floating, coalesce(s.owed_payments, 0)::numeric as "owedPayments",
      coalesce(s.open_payments, 0)::numeric as "openPayments"
    from (select slug, amount - coalesce((select a.balance from ledger_accounts a
        where a.name = 'suspense' and a.slug = hot_balances.slug), 0) as amount
      from hot_balances where at > now() - make_interval(secs => ${VALID_SECONDS})) b
    full join sums s using (slug)`
    .execute(database.kysely)
    .then(({ rows }) => rows);
}
