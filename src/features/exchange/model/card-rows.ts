import { compareDecimals, divideDecimals } from "#contract/money.ts";
import type { CardTerms } from "#contract/card.ts";
import type { PairData } from "#contract/rate.ts";

type CardRows = {
  /** Its amounts are of the currency, and add up from `first` to `last`. */
  first: string | null;
  fees: readonly { kind: CardTerms["fees"][number]["kind"]; amount: string }[];
  last: string | null;
  /** What one coin costs on the market, and at this rate with all fees. */
  marketPrice: string;
  price: string;
};

/**
 * A purchase: what is paid − fees = what the coins are worth. A sale: what the coins are worth − fees = what the card gets. What
 * the amounts beside it show already is null.
 */
export function cardRows(rate: PairData, { direction, fees, marketValue }: CardTerms): CardRows {
  const isBuy = direction === "buy";
  const [coins, money] = isBuy ? [rate.amountToGet, rate.amountToGive] : [rate.amountToGive, rate.amountToGet];
  return {
    first: isBuy ? null : marketValue,
    // A fee of nothing is no line: what is left adds up as well.
    fees: fees.filter(({ amount }) => compareDecimals(amount, "0") > 0),
    last: isBuy ? marketValue : null,
    marketPrice: divideDecimals(marketValue, coins) ?? "0",
    price: divideDecimals(money, coins) ?? "0",
  };
}
