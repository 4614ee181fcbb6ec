import type { Stats } from "#contract/health.ts";

/** A median and a share of fewer orders say more about chance than about the service. */
const FEWEST_ORDERS = 20;

/** The figures that may be displayed: those of a day with fewer than 20 completed orders are null. */
export function reliableStats(stats: Stats): Stats {
  if ((stats.orders24h ?? 0) >= FEWEST_ORDERS) return stats;
  return { ...stats, orders24h: null, medianSeconds: null, completedShare: null };
}
