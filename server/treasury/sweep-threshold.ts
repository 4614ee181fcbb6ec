import { divideUp, parseAmount, powerOfTen } from "#contract/money.ts";
import { PRICE_DECIMALS, type CatalogueInstrument } from "../catalogue/index.ts";

/** The least of an instrument that is worth a sweep, in its minor units; `priceUsd` is scaled as prices are. */
export function leastSweep({ sweepMinUsd, decimals }: CatalogueInstrument, priceUsd: bigint): bigint {
  const usd = parseAmount(sweepMinUsd, PRICE_DECIMALS);
  if (usd === null) throw new RangeError(`a limit in USD has too many decimals: ${sweepMinUsd}`);
  return divideUp(usd * powerOfTen(decimals), priceUsd);
}
