import { PRICE_DECIMALS } from "../../catalogue/index.ts";
import { parseAmount } from "#contract/money.ts";
import type { Database } from "../../db/database.ts";

/** Prices that the sandbox has set: they stay until they are set again, and skip the guard against jumps. */
export type MarketOverrides = {
  all(): Promise<ReadonlyMap<string, bigint>>;
  /** `price` is a USD decimal. */
  set(slug: string, price: string, at: Date): Promise<void>;
};

export function createMarketOverrides(database: Database): MarketOverrides {
  return {
    async all() {
      const rows = await database.kysely.selectFrom("market_overrides").select(["slug", "price"]).execute();
      // A price that was written by hand and can't be read counts as zero: it stops quoting instead of being skipped.
      return new Map(rows.map(({ slug, price }) => [slug, parseAmount(price, PRICE_DECIMALS) ?? 0n]));
    },
    async set(slug, price, at) {
      await database.kysely
        .insertInto("market_overrides")
        .values({ slug, price, at })
        .onConflict((conflict) => conflict.column("slug").doUpdateSet({ price, at }))
        .execute();
    },
  };
}
