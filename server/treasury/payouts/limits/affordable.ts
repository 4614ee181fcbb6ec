import { sql } from "kysely";
import { NotEnoughFundsError, type Handle, type NetworkWallet } from "../../../chains/port.ts";
import type { Database } from "../../../db/database.ts";
import { signedCost } from "../attempts.ts";
import type { PayoutRow } from "../store.ts";

type Claim = { slug: string; amount: bigint; key: string; data: Record<string, unknown>; signed_cost: bigint | null };

/**
 * Throws `NotEnoughFundsError` unless the hot wallet can pay this and its cost beside everything that it has signed already. It waits
 * then without a nonce, and smaller or other payments go on (engine law 16).
 */
export async function requireAffordable(
  database: Database,
  wallet: NetworkWallet,
  payout: PayoutRow,
  { cost, feeSlug }: { cost: bigint; feeSlug: string },
): Promise<void> {
  if (wallet.showsMinedOnly !== true) return;
  const { rows } = await sql<Claim>`
    select distinct on (p.id) p.slug, p.amount, h.key, h.data, ${signedCost} as signed_cost from payout_handles h join payouts p on p.id = h.payout_id
    where h.network = ${payout.network} and h.released_at is null and p.id <> ${payout.id}
      and p.state in ('intended', 'broadcast', 'review') and p.purpose <> 'sweep'
    order by p.id, h.id`.execute(database.kysely);
  const handleOf = ({ key, data }: Claim): Handle => ({ keys: [key], data });
  // A replacement may cost more than the handle of its payment says.
  const costOf = (row: Claim): bigint => row.signed_cost ?? wallet.maxCost(handleOf(row));
  const onTheWay = (slug: string): bigint =>
    rows.reduce((sum, row) => {
      const coins = row.slug === slug ? row.amount : 0n;
      return sum + coins + (slug === feeSlug ? costOf(row) : 0n);
    }, 0n);
  for (const slug of new Set([payout.slug, feeSlug])) {
    const needed = (slug === payout.slug ? payout.amount : 0n) + (slug === feeSlug ? cost : 0n);
    const free = (await wallet.hotBalance(slug)) - onTheWay(slug);
    if (free < needed)
      throw new NotEnoughFundsError(`the hot wallet has ${free} of ${slug} free, and this payment needs ${needed}`);
  }
}
