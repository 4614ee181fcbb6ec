import { DAY_MS } from "#contract/durations.ts";
import { sql, type Transaction } from "kysely";
import type { Log } from "../base/logging/log.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { Schema } from "../db/schema.ts";
import { decideEarnings, OWN_ORDER_REVIEWS, referrerOf, type Completion } from "./decisions/decide-earnings.ts";
import { isOfSomebody, networkHash } from "./referrers.ts";
import type { CompletedOrder, EarningsRecorder } from "./port.ts";
import { storeCredits } from "./wallet.ts";

type RecorderParts = {
  catalogue: Pick<Catalogue, "instruments" | "terms">;
  /** In USD, scaled by 10^18; null while there is no usable price. */
  priceUsd(slug: string): bigint | null;
  log: Log;
};

const ONE_USD = 10n ** 18n;
const UNSUSPICIOUS = { isFromReferrersClient: false, isToReferrersAddress: false, isMutual: false };
/** Addresses of clients change hands. */
const NETWORK_DAYS = 30;

type Parties = {
  reference: string;
  owner: bigint | null;
  owners_referrer: bigint | null;
  own_referrer: bigint | null;
  partner: bigint | null;
  /** The address that it was made at, or an IPv6 /48. */
  network: string;
};

/** Null where the catalogue lacks the instrument that earnings are counted in: then nothing is earned. */
export function createEarningsRecorder(parts: RecorderParts): EarningsRecorder | null {
  const { instruments, terms } = parts.catalogue;
  const currency = instruments.get(terms.earningsSlug);
  if (currency === undefined) return null;

  /** Earnings are a promise in US dollars: without a price of the coin itself, or of the same one elsewhere, it counts as one. */
  const currencyPrice = (): bigint => {
    const alike = [...instruments.values()].filter(({ currencyTitle }) => currencyTitle === currency.currencyTitle);
    for (const { slug } of [currency, ...alike]) {
      const price = parts.priceUsd(slug);
      if (price !== null) return price;
    }
    return ONE_USD;
  };

  return {
    async record(transaction, order, at) {
      const parties = await readParties(transaction, order.id);
      if (parties === null) return [];
      const known = {
        ownerId: parties.owner,
        ownersReferrerId: parties.owners_referrer,
        ownReferrerId: parties.own_referrer,
        partnerId: parties.partner,
      };
      const referrer = referrerOf(known);
      const completion: Completion = {
        ...known,
        fee: order.fee,
        markup: order.markup,
        isDoubtful: order.isDoubtful,
        currency: { decimals: currency.decimals, priceUsd: currencyPrice() },
        ...(referrer === null ? UNSUSPICIOUS : await readSuspicion(transaction, order, parties, referrer, at)),
      };
      const earnings = decideEarnings(completion, terms);
      const { transfers } = await storeCredits(
        transaction,
        earnings.map((earning) => ({
          ...earning,
          slug: currency.slug,
          order: { id: order.id, reference: parties.reference },
        })),
        at,
      );
      for (const { userId, source, review } of earnings)
        parts.log.info(
          { orderId: order.id, userId: userId.toString(), source, review },
          "an order has earned something",
        );
      return transfers;
    },
  };
}

/** Accounts that were deleted earn nothing. */
async function readParties(transaction: Transaction<Schema>, orderId: string): Promise<Parties | null> {
  const { rows } = await sql<Parties>`
    select o.reference, owner.id as owner, referrer.id as owners_referrer, own.id as own_referrer, partner.id as partner,
      coalesce(o.client_network, o.client_key) as network
    from orders o
    left join users owner on owner.id = o.user_id and owner.deleted_at is null
    left join users referrer on referrer.id = owner.referrer_user_id and referrer.deleted_at is null
    left join referrer_ids r on r.referrer_id = o.referrer_id
    left join users own on own.id = r.user_id and own.deleted_at is null
    left join partner_orders p on p.order_id = o.id
    left join users partner on partner.id = p.user_id and partner.deleted_at is null
    where o.id = ${orderId}`.execute(transaction);
  return rows[0] ?? null;
}

/** So many of the newest orders of an account are looked at: one with very many must not slow down a completion. */
const RING_ORDERS = 200;

type Suspicion = Pick<Completion, "isFromReferrersClient" | "isToReferrersAddress" | "isMutual">;

/** What speaks for an order of the referrer's own under another name. */
async function readSuspicion(
  transaction: Transaction<Schema>,
  { id }: CompletedOrder,
  { owner, network }: Parties,
  referrer: bigint,
  at: Date,
): Promise<Suspicion> {
  const lately = new Date(at.getTime() - NETWORK_DAYS * DAY_MS);
  const hash = isOfSomebody(network) ? networkHash(network) : null;
  const { rows } = await sql<Suspicion>`
    with referred_by as materialized (
      select referrer_user_id as id from users where id = ${referrer} and referrer_user_id is not null
      union
      select r.user_id from orders o join referrer_ids r on r.referrer_id = o.referrer_id
      where o.user_id = ${referrer}
    ), own_orders as materialized (
      select snapshot->'terms' as terms from orders where user_id = ${referrer} order by created_at desc limit ${RING_ORDERS}
    ), own_addresses as (
      select ${ADDRESS} from own_orders cross join lateral (values (terms->'destination'), (terms->'refund')) as to_(recipient)
      union all select lower(address) || ' ' from withdrawals where user_id = ${referrer}
      union all
      select ${ADDRESS} from (
        select order_id, review_reason from wallet_credits where user_id = ${referrer} order by id desc limit ${RING_ORDERS}
      ) held join orders o on o.id = held.order_id
      cross join lateral (values (o.snapshot->'terms'->'destination'), (o.snapshot->'terms'->'refund')) as to_(recipient)
      where held.review_reason = any(${OWN_ORDER_REVIEWS}::text[])
    )
    select exists (
        select from orders o join user_clients c on c.client_hash = o.client_hash
        where o.id = ${id} and c.user_id = ${referrer}
      ) or exists (
        select from user_clients mine join user_clients theirs on theirs.client_hash = mine.client_hash
        where mine.user_id = ${owner}::bigint and theirs.user_id = ${referrer}
      ) or ${owner}::bigint is null and exists (
        select from user_clients where user_id = ${referrer} and network_hash = ${hash} and seen_at > ${lately}
      ) or ${owner}::bigint is not null and ${hash}::text is not null and exists (
        select from user_clients theirs where theirs.user_id = ${referrer} and theirs.seen_at > ${lately}
          and (theirs.network_hash = ${hash} or theirs.network_hash in (
            select network_hash from user_clients where user_id = ${owner}::bigint))
      ) as "isFromReferrersClient",
      exists (
        select from orders o
        cross join lateral (values (o.snapshot->'terms'->'destination'), (o.snapshot->'terms'->'refund')) as to_(recipient)
        where o.id = ${id} and ${ADDRESS} in (select * from own_addresses)
      ) as "isToReferrersAddress",
      exists (select from referred_by where id = ${owner}::bigint) or exists (
        select from users u join referred_by using (id) where u.referrer_user_id = ${owner}::bigint
      ) or exists (
        select from referred_by b
        cross join lateral (
          select referrer_id from orders where user_id = b.id order by created_at desc limit ${RING_ORDERS}
        ) o
        join referrer_ids r on r.referrer_id = o.referrer_id
        where r.user_id = ${owner}::bigint
      ) as "isMutual"`.execute(transaction);
  return rows[0] ?? UNSUSPICIOUS;
}

/** With its memo: customers of an exchange share an address, and have memos of their own. Null where none was given. */
const ADDRESS = sql`lower(to_.recipient->>'address') || ' ' || coalesce(to_.recipient->>'memo', '')`;
