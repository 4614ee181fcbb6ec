import { formatAmount } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { depositedTotal, minorOf } from "./sums.ts";

/** How an offer compares with what was agreed. `difference` is in the receiving coin, null where another sum arrived. */
export type RateChange = { direction: "lower" | "higher"; percent: string; difference: string | null };

/** Null where there is no offer, or the rates are the same to a hundredth of a percent. */
export function rateChange(order: Order): RateChange | null {
  const { offer, claimedPublicRate, pair } = order;
  if (offer === null) return null;
  const decimals = Math.max(fractionOf(offer.price), fractionOf(claimedPublicRate.price));
  const [had, now] = [minorOf(claimedPublicRate.price, decimals), minorOf(offer.price, decimals)];
  if (had === 0n) return null;
  const hundredths = (distance(had, now) * 10_000n + had / 2n) / had;
  if (hundredths === 0n) return null;
  const get = pair.instrumentTo.precisionDecimals;
  const difference = distance(minorOf(claimedPublicRate.claimedAmountToReceive, get), minorOf(offer.amountToGet, get));
  return {
    direction: now < had ? "lower" : "higher",
    percent: formatAmount(hundredths, 2),
    difference: isClaimedSum(order) ? formatAmount(difference, get) : null,
  };
}

function isClaimedSum(order: Order): boolean {
  const { precisionDecimals } = order.pair.instrumentFrom;
  return minorOf(depositedTotal(order), precisionDecimals) === minorOf(order.claimedDepositAmount, precisionDecimals);
}

const fractionOf = (decimal: string): number => decimal.split(".")[1]?.length ?? 0;

const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);
