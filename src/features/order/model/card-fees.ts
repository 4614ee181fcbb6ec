import type { OrderCard } from "#contract/card.ts";
import { compareDecimals } from "#contract/money.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { CardOrder } from "./view/card-view.ts";

type Quoted = NonNullable<OrderCard["quoted"]>;

/** What an order by card was quoted with, in its currency: fees apart, and what they leave, or are taken from. */
export type CardFees = {
  fiat: Instrument;
  /** No share of anything is shown with them: rounded cents give another one for each sum. */
  fees: readonly Quoted["fees"][number][];
  marketValue: string;
};

/** A purchase: what is paid − fees = what the coins are worth. A sale: what they are worth − fees = what the card gets. Null for older orders. */
export function cardFees({ card: { direction, quoted }, pair }: CardOrder): CardFees | null {
  if (quoted == null) return null;
  const isBuy = direction === "buy";
  return {
    fiat: isBuy ? pair.instrumentFrom : pair.instrumentTo,
    // A fee of nothing is no line: what is left adds up as well.
    fees: quoted.fees.filter(({ amount }) => compareDecimals(amount, "0") > 0),
    marketValue: quoted.marketValue,
  };
}
