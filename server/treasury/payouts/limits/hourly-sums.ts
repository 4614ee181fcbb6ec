import { sql } from "kysely";
import { powerOfTen } from "#contract/money.ts";
import { LARGE_PAYMENT } from "../failures.ts";
import type { ApprovalBounds, PayoutParts, PayoutRow } from "../store.ts";

/** What is summed, and how it is said to operators. */
const SUMS = {
  destination: "what its destination was paid within an hour",
  client: "what the client behind it was paid within an hour",
  network: "what was paid on its network within an hour",
} as const;
type Sum = keyof typeof SUMS;

export const NO_PRICE = "nobody knows what it is worth";

type SumRow = { sum: Sum; slug: string; amount: string };

/** What an amount is worth, in units of `PRICE_DECIMALS` USD, rounded up; null without a price. */
export function worthUsd(
  parts: Pick<PayoutParts, "priceUsd" | "decimalsOf">,
  { slug, amount }: { slug: string; amount: bigint },
): bigint | null {
  const price = parts.priceUsd(slug);
  if (price === null) return null;
  const unit = powerOfTen(parts.decimalsOf(slug));
  return (amount * price + unit - 1n) / unit;
}

/**
 * Which of the sums of an hour a payment takes over its bound, in words; null for none, and `NO_PRICE` where a price is missing. A payment is
 * judged with those that were decided before it, signed or not: so none slips through beside another. What two operators approved, and what
 * waits for them, doesn't count.
 */
export async function hourlySumOver(
  parts: PayoutParts,
  { hourlyUsd, networkHourlyUsd }: ApprovalBounds,
  payout: PayoutRow,
): Promise<string | null> {
  if (hourlyUsd === null && networkHourlyUsd === null) return null;
  const sums = new Map<Sum, bigint>();
  for (const { sum, slug, amount } of await readSums(parts, payout)) {
    const worth = worthUsd(parts, { slug, amount: BigInt(amount) });
    if (worth === null) return NO_PRICE;
    sums.set(sum, (sums.get(sum) ?? 0n) + worth);
  }
  const bounds = { destination: hourlyUsd, client: hourlyUsd, network: networkHourlyUsd };
  for (const [sum, total] of sums) {
    const bound = bounds[sum];
    if (bound !== null && total > bound) return `with it, ${SUMS[sum]} is worth more than the bound`;
  }
  return null;
}

/** Each by instrument, the payment itself included. The bounds are values, so that the indexes by time are read for one hour alone. */
async function readSums({ database: { kysely } }: PayoutParts, payout: PayoutRow): Promise<SumRow[]> {
  const { client_key: client, created_at: at } = await kysely
    .selectFrom("payouts")
    .select(["client_key", "created_at"])
    .where("id", "=", payout.id)
    .executeTakeFirstOrThrow();
  const { id, network, toAddress, toMemo } = payout;
  const counted = sql`
    from payouts p where p.created_at > ${at}::timestamptz - interval '1 hour' and (p.created_at, p.id) <= (${at}::timestamptz, ${id}::bigint)
      and p.purpose in ('payout', 'refund', 'funding', 'withdrawal') and p.state <> 'returned'
      and (p.id = ${id} or (p.approval_confirmed_by is null and p.review_reason is distinct from ${LARGE_PAYMENT}))`;
  const { rows } = await sql<SumRow>`
    select 'destination' as sum, p.slug, sum(p.amount)::text as amount ${counted}
      and p.to_address = ${toAddress} and p.to_memo is not distinct from ${toMemo}::text group by p.slug
    union all
    select 'client', p.slug, sum(p.amount)::text ${counted} and p.client_key = ${client}::text group by p.slug
    union all
    select 'network', p.slug, sum(p.amount)::text ${counted} and p.network = ${network} group by p.slug`.execute(
    kysely,
  );
  return rows;
}
