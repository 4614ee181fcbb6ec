import { compareDecimals } from "#contract/money.ts";
import type { PairData } from "#contract/rate.ts";

/** Whether the provider checks who pays: below its threshold it doesn't (spec §4). A purchase counts what is paid, a sale what is got (contract §11). */
export function needsCheck(rate: PairData): boolean {
  const { noKycThreshold, instrumentFrom, amountToGive, amountToGet } = rate;
  if (noKycThreshold === null) return false;
  return compareDecimals(instrumentFrom.instrumentType === "fiat" ? amountToGive : amountToGet, noKycThreshold) >= 0;
}
