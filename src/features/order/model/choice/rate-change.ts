import { compareDecimals, decimalDistance, percentOf } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { depositedTotal } from "../view/deposits.ts";

/** How an offer compares with what was agreed. `difference` is in the receiving coin, null where another amount arrived. */
type RateChange = { direction: "lower" | "higher"; percent: string; difference: string | null };

/** Null where there is no offer, or the rates are the same to a hundredth of a percent. */
export function rateChange(order: Order): RateChange | null {
  const { offer, claimedPublicRate } = order;
  if (offer === null) return null;
  const percent = percentOf(decimalDistance(claimedPublicRate.price, offer.price), claimedPublicRate.price);
  if (percent === null || percent === "0") return null;
  return {
    direction: compareDecimals(offer.price, claimedPublicRate.price) < 0 ? "lower" : "higher",
    percent,
    difference:
      compareDecimals(depositedTotal(order), order.claimedDepositAmount) === 0
        ? decimalDistance(claimedPublicRate.claimedAmountToReceive, offer.amountToGet)
        : null,
  };
}
