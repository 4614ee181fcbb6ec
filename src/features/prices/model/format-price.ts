import { compareDecimals } from "#contract/money.ts";
import { formatFiat, formatRate, formatUsd } from "../../../shared/format/format.ts";

/** A price in dollars: cents from one dollar on, six figures below; a dash where it is unknown. */
export function formatPrice(priceUsd: string | null): string {
  if (priceUsd === null) return "—";
  return compareDecimals(priceUsd, "1") < 0 ? `$${formatRate(priceUsd)}` : formatUsd(priceUsd);
}

/** A price in another currency: as `formatPrice` where that is money, six figures where it is a coin. */
export function formatPriceIn(currency: "EUR" | "USDT", price: string | null): string {
  if (price === null) return "—";
  const isWhole = currency === "EUR" && compareDecimals(price, "1") >= 0;
  return `${isWhole ? formatFiat(price) : formatRate(price)}\u00a0${currency}`;
}
