import type { Instrument, PairList } from "#contract/instrument.ts";
import { isFiat } from "./kind.ts";

/** The provider of cards, as the instruments call names it (spec §7). */
export const CARD_PROVIDER = "mercuryo";

/** The pairs of coins, and those of what a card provider trades: each of its currencies with each of its coins, both ways. */
export function withCardPairs(
  pairs: PairList,
  byCard: readonly Pick<Instrument, "slug" | "instrumentType">[],
): PairList {
  const money = byCard.filter(isFiat).map(({ slug }) => slug);
  const coins = byCard.filter((one) => !isFiat(one)).map(({ slug }) => slug);
  if (money.length === 0 || coins.length === 0) return pairs;
  const sold = new Set(coins);
  const known = new Set(pairs.map(({ from }) => from));
  return [
    ...pairs.map(({ from, to }) => (sold.has(from) ? { from, to: [...to, ...money] } : { from, to })),
    ...coins.flatMap((from) => (known.has(from) ? [] : [{ from, to: money }])),
    ...money.map((from) => ({ from, to: coins })),
  ];
}
