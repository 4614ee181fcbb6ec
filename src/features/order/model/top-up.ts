import { compareDecimals, decimalDistance, DISPLAYED_DECIMALS, roundDecimal } from "#contract/money.ts";
import type { TFunction } from "i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Order } from "#contract/order.ts";
import { exactCoinText } from "./amount-text.ts";
import { countedDeposits, depositedTotal } from "./view/deposits.ts";

const FIGURES = 4;

type Precision = Pick<Instrument, "precisionDecimals">;
type Attention = NonNullable<Order["attention"]>;
/** Of an order that takes more: one over its maximum can only be refunded. */
type BelowMinimum = Attention & { readonly reason: "BELOW_MINIMUM" };

export const isBelowMinimum = (attention: Attention): attention is BelowMinimum => attention.reason === "BELOW_MINIMUM";

export type TopUp = {
  /** What lacks to the minimum, rounded up to what is displayed. */
  missing: string;
  /** What one more deposit must be, rounded up: a smaller one would not count, though it completed the minimum (contract §3). */
  least: string;
  /** Whether that is more than what lacks. */
  isMore: boolean;
};

/** What an order under its minimum needs, in the sending coin. */
export function topUpOf({ expected, received, countsFrom }: BelowMinimum, { precisionDecimals }: Precision): TopUp {
  const lacks = decimalDistance(expected, received);
  const missing = roundDecimal(lacks, Math.min(DISPLAYED_DECIMALS, precisionDecimals), "up");
  const isMore = countsFrom !== null && compareDecimals(countsFrom, missing) > 0;
  return { missing, least: isMore ? smallestSum(countsFrom, precisionDecimals) : missing, isMore };
}

/**
 * More than this must arrive for a refund that its network fee eats up: what the fee is above the deposits, and no less than the smallest
 * of them, which is known to have counted.
 */
export function refundableFrom(order: Order, networkFee: string): string {
  const { precisionDecimals } = order.pair.instrumentFrom;
  const lacks = decimalDistance(networkFee, depositedTotal(order));
  const counted = countedDeposits(order).map(({ amount }) => amount);
  const smallest = counted.toSorted(compareDecimals)[0] ?? lacks;
  const least = compareDecimals(smallest, lacks) > 0 ? smallest : lacks;
  return roundDecimal(least, Math.min(DISPLAYED_DECIMALS, precisionDecimals), "up");
}

/** A bound that a deposit must reach, rounded up to four significant figures: it is a price's, with as many decimals as the coin has. */
export function smallestSum(bound: string, precisionDecimals: number): string {
  const [whole = "", fraction = ""] = bound.split(".");
  const decimals = whole === "0" ? fraction.search(/[1-9]|$/) + FIGURES : Math.max(0, FIGURES - whole.length);
  return roundDecimal(bound, Math.min(decimals, precisionDecimals), "up");
}

/** How much more to send, and where to. */
export function topUpText(t: TFunction<"order">, attention: BelowMinimum, instrument: Instrument): string {
  const { missing, least, isMore } = topUpOf(attention, instrument);
  const network = instrument.networkFriendlyTitle;
  const text = t("attention.topUpText", { least: exactCoinText(least, instrument), network });
  return isMore ? `${text} ${t("attention.topUpMore", { missing: exactCoinText(missing, instrument) })}` : text;
}
