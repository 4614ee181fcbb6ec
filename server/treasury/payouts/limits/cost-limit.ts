import { parseAmount, powerOfTen, maxOf } from "#contract/money.ts";
import { PRICE_DECIMALS, type CatalogueInstrument, type PaymentCaps } from "../../../catalogue/index.ts";

type Priced = Pick<CatalogueInstrument, "decimals"> & {
  slug: string;
  priceUsd: bigint | null;
  caps: Pick<PaymentCaps, "timesCharged" | "overChargedUsd">;
};

/**
 * What a payment may cost, in minor units of its network's coin: so many times what its customer was charged, or so many USD more,
 * whichever allows more (engine law 15). Null where prices are missing: the absolute caps bound it alone.
 */
export function costLimit(charged: bigint, of: Priced, coin: Omit<Priced, "caps">): bigint | null {
  const { caps } = of;
  const inCoin = of.slug === coin.slug ? charged : converted(charged, of, coin);
  if (inCoin === null) return null;
  const times = inCoin * caps.timesCharged;
  const slack = parseAmount(caps.overChargedUsd, PRICE_DECIMALS);
  if (slack === null) throw new RangeError(`a cap in USD has too many decimals: ${caps.overChargedUsd}`);
  const over = coin.priceUsd === null ? times : inCoin + (slack * powerOfTen(coin.decimals)) / coin.priceUsd;
  return maxOf(times, over);
}

function converted(amount: bigint, from: Omit<Priced, "caps">, to: Omit<Priced, "caps">): bigint | null {
  if (from.priceUsd === null || to.priceUsd === null || to.priceUsd === 0n) return null;
  return (amount * from.priceUsd * powerOfTen(to.decimals)) / (to.priceUsd * powerOfTen(from.decimals));
}
