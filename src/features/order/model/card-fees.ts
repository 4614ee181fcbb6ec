import type { OrderCard } from "#contract/card.ts";
import { compareDecimals, percentOf } from "#contract/money.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { CardOrder } from "./view/card-view.ts";

type Quoted = NonNullable<OrderCard["quoted"]>;

/** What an order by card was quoted with, in its currency: fees apart, and what they leave, or are taken from. */
export type CardFees = {
  fiat: Instrument;
  fees: { kind: Quoted["fees"][number]["kind"]; amount: string; percent: string | null }[];
  marketValue: string;
};

/** A purchase: what is paid − fees = what the coins are worth. A sale: what they are worth − fees = what the card gets. Null for older orders. */
export function cardFees({ card: { direction, quoted }, pair, claimedDepositAmount }: CardOrder): CardFees | null {
  if (quoted == null) return null;
  const isBuy = direction === "buy";
  const { marketValue } = quoted;
  const whole = isBuy ? claimedDepositAmount : marketValue;
  return {
    fiat: isBuy ? pair.instrumentFrom : pair.instrumentTo,
    // A fee of nothing is no line: what is left adds up as well.
    fees: quoted.fees
      .filter(({ amount }) => compareDecimals(amount, "0") > 0)
      .map((fee) => ({ ...fee, percent: fee.kind === "network" ? null : percentOf(fee.amount, whole) })),
    marketValue,
  };
}
