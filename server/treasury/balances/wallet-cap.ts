import { sql } from "kysely";
import { powerOfTen } from "#contract/money.ts";
import { PRICE_DECIMALS, requireInstrument, type Catalogue } from "../../catalogue/index.ts";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../base/logging/log.ts";
import type { StoredBalance } from "./available-balances.ts";

export type WalletCapParts = {
  database: Database;
  catalogue: Pick<Catalogue, "instruments">;
  /** What a hot wallet may hold of one instrument, in USD; null: any sum. */
  walletCapUsd: number | null;
  /** In USD, scaled by 10^18; null while there is no usable price. */
  priceUsd(slug: string): bigint | null;
  log: Log;
};

/** Marks what the hot wallets hold above their cap by the balances that were just stored: whoever takes the keys takes all of it. */
export async function checkWalletCaps(parts: WalletCapParts, stored: readonly StoredBalance[]): Promise<void> {
  const { database, walletCapUsd, log } = parts;
  const caps = stored.flatMap(({ slug, amount, isOverCap }) => {
    const price = parts.priceUsd(slug);
    if (walletCapUsd !== null && (price === null || price === 0n)) return [];
    const { decimals } = requireInstrument(parts.catalogue, slug);
    const cap =
      walletCapUsd === null || price === null
        ? null
        : (BigInt(walletCapUsd) * powerOfTen(PRICE_DECIMALS) * powerOfTen(decimals)) / price;
    return isOverCap || (cap !== null && amount > cap) ? [{ slug, cap }] : [];
  });
  if (caps.length === 0) return;
  const { rows } = await sql<{ slug: string; over: string; isNew: boolean }>`
    update hot_balances b set
      over_cap = case when b.amount > c.cap then b.amount - c.cap end,
      over_cap_since = case when b.amount > c.cap then coalesce(b.over_cap_since, now()) end
    from unnest(${caps.map(({ slug }) => slug)}::text[], ${caps.map(({ cap }) => cap)}::numeric[]) as c (slug, cap)
    where b.slug = c.slug and (b.amount > c.cap or b.over_cap is not null)
    returning b.slug, b.over_cap::text as over, b.over_cap_since = now() as "isNew"`.execute(database.kysely);
  for (const { slug, over, isNew } of rows)
    if (isNew) log.warn({ slug, over, walletCapUsd }, "a hot wallet holds more than its cap; move the rest away");
}
