import { displayedUnit, divideUp, minorUnits, powerOfTen, ratio, roundDecimal } from "#contract/money.ts";
import type { CreateOrderBody } from "#contract/order.ts";
import type { CardPair, CardQuote } from "./port.ts";

/** Names a pair of a coin and a currency in one direction. */
export const keyOf = ({ direction, fiat, coin }: CardPair): string => `${direction} ${fiat.slug} ${coin.slug}`;

/** What is sent and what is received. */
export const sides = ({ direction, fiat, coin }: CardPair): [CardPair["fiat"], CardPair["fiat"]] =>
  direction === "buy" ? [fiat, coin] : [coin, fiat];

/** A decimal in minor units, cut to the currency's decimals. Throws for what is no decimal (RangeError). */
export const cutMinor = (decimal: string, decimals: number): bigint =>
  minorUnits(roundDecimal(decimal, decimals, "down"), decimals);

/** A fee in what is received, rounded up. */
export const feeIn = ({ direction, coin }: CardPair, { amountTo, marketValue }: CardQuote, fee: bigint): bigint => {
  if (direction === "sell" || fee === 0n) return fee;
  const unit = displayedUnit(coin.decimals);
  return divideUp(divideUp(fee * amountTo, marketValue), unit) * unit;
};

/** What arrives for one that is sent, all fees taken. */
export function priceOf(pair: CardPair, { amountFrom, amountTo }: CardQuote): string {
  const [from, to] = sides(pair);
  return ratio(amountTo * powerOfTen(from.decimals), amountFrom * powerOfTen(to.decimals));
}

/** Whether what was claimed to arrive is near to what is quoted now (contract §2). */
export function isWithin(
  claim: CreateOrderBody["claimedPublicRate"],
  pair: CardPair,
  { amountTo }: CardQuote,
  bps: bigint,
): boolean {
  const [, to] = sides(pair);
  const claimed = cutMinor(claim.claimedAmountToReceive, to.decimals);
  const difference = claimed > amountTo ? claimed - amountTo : amountTo - claimed;
  return claimed > 0n && difference * 10_000n <= amountTo * bps;
}
