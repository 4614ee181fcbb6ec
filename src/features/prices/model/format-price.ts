import { compareDecimals } from "#contract/money.ts";
import { formatRate, formatUsd } from "../../../shared/format/format.ts";

/** A price in dollars: cents from one dollar on, six figures below; a dash where it is unknown. */
export function formatPrice(priceUsd: string | null): string {
  if (priceUsd === null) return "—";
  return compareDecimals(priceUsd, "1") < 0 ? `$${formatRate(priceUsd)}` : formatUsd(priceUsd);
}
