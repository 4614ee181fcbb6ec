import { maxOf } from "#contract/money.ts";
import type { Log } from "../base/logging/log.ts";
import type { Catalogue, OwnTerms, PairTerms } from "./port.ts";

/** Whoever foresees the market gains the move that a fixed rate bears, less our fee: no more than the fee where the fee is half of the move. */
const halfOfMove = ({ volatilityBps }: Pick<OwnTerms, "volatilityBps">): bigint => (volatilityBps + 1n) / 2n;

/** The fee of fixed rates where the operator sets none (engine law 13); never less than a floating rate's. */
export function usualFixedFee(
  terms: Pick<OwnTerms, "volatilityBps">,
  { floatingFeeBps, spreadBps }: Pick<PairTerms, "floatingFeeBps" | "spreadBps">,
): bigint {
  return maxOf(halfOfMove(terms) - spreadBps, floatingFeeBps);
}

const EXAMPLES = 3;

/** Warns of fixed rates by which whoever foresees the market gains more than our fee, because the operator has set a lower one. */
export function warnOfLowFixedFees(
  {
    instruments,
    terms,
    isPairActive,
    pairTerms,
  }: Pick<Catalogue, "instruments" | "terms" | "isPairActive" | "pairTerms">,
  log: Log,
): void {
  const slugs = [...instruments.keys()];
  const low = slugs.flatMap((from) =>
    slugs.flatMap((to) => {
      if (!isPairActive(from, to)) return [];
      const { fixedFeeBps, spreadBps, hasFixedRate } = pairTerms(from, to);
      return hasFixedRate && fixedFeeBps + spreadBps < halfOfMove(terms) ? [`${from}-${to}`] : [];
    }),
  );
  if (low.length === 0) return;
  log.warn(
    { pairs: low.length, examples: low.slice(0, EXAMPLES), volatilityBps: Number(terms.volatilityBps) },
    "fixed rates bear more than twice their fee: whoever foresees the market gains more than the fee",
  );
}
