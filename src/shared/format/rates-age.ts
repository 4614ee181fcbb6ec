import { proxy, useSnapshot } from "valtio";

const newest = proxy<{ ratesAt: string | null }>({ ratesAt: null });

/** Records when a rate was made; an offline page says how old its rates are. */
export function recordRateTime(updatedAt: string): void {
  if (newest.ratesAt === null || updatedAt > newest.ratesAt) newest.ratesAt = updatedAt;
}

/** When the newest rate that this page has received was made, ISO-8601; null before the first one. */
export const useRatesAt = (): string | null => useSnapshot(newest).ratesAt;
