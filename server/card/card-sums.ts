import { displayedUnit, divideUp, powerOfTen, ratio, toMinor } from "#contract/money.ts";
import type { CreateOrderBody } from "#contract/order.ts";
import type { CardPair, CardQuote } from "./port.ts";

/** Names a pair of a coin and a currency in one direction. */
export const keyOf = ({ direction, fiat, coin }: CardPair): string => `${direction} ${fiat.slug} ${coin.slug}`;

/** What is sent and what is received. */
export const sides = ({ direction, fiat, coin }: CardPair): [CardPair["fiat"], CardPair["fiat"]] =>
  direction === "buy" ? [fiat, coin] : [coin, fiat];

/** The decimal string as minor units, cut to the currency's decimals. */
export const thresholdOf = (threshold: string, decimals: number): bigint => {
  const [whole = "0", part = ""] = threshold.split(".");
  return BigInt(whole) * powerOfTen(decimals) + BigInt(part.padEnd(decimals, "0").slice(0, decimals) || "0");
};

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
  const claimed = claimedMinor(claim.claimedAmountToReceive, to.decimals);
  const difference = claimed > amountTo ? claimed - amountTo : amountTo - claimed;
  return claimed > 0n && difference * 10_000n <= amountTo * bps;
}

const claimedMinor = (text: string, decimals: number): bigint => {
  const [whole = "0", part = ""] = text.split(".");
  return toMinor(BigInt(whole) * powerOfTen(decimals) + BigInt(part.slice(0, decimals).padEnd(decimals, "0") || "0"));
};
