import { CodedError } from "#contract/errors.ts";
import { toMinor } from "#contract/money.ts";
import shipped from "../../server/catalogue/catalogue.json" with { type: "json" };
import { readCatalogue } from "../../server/catalogue/catalogue.ts";
import type { Catalogue } from "../../server/catalogue/index.ts";
import type { PriceSnapshot, PricedClaim } from "../../server/rates/port.ts";
import { StillRates } from "../support/scenarios/test-engine.ts";
import type { NodeTraits } from "./sim-node.ts";

const SCALE = 10n ** 18n;
const MIN_USD = 20n;
const MAX_USD = 2_000n;

export type Coin = { slug: string; network: string; ticker: string; decimals: number; usd: number };

/** What is traded in the simulation: two coins with tokens beside them, one network with memos. */
export const COINS: readonly Coin[] = [
  { slug: "eth", network: "ETH", ticker: "ETH", decimals: 18, usd: 3000 },
  { slug: "usdt-erc20", network: "ETH", ticker: "USDT", decimals: 6, usd: 1 },
  { slug: "ltc", network: "LTC", ticker: "LTC", decimals: 8, usd: 80 },
  { slug: "xrp", network: "XRP", ticker: "XRP", decimals: 6, usd: 2 },
];

/** What earnings are counted in; the one that ships is on a network that is not simulated. */
export const EARNINGS_SLUG = "usdt-erc20";

export const NETWORKS: ReadonlyMap<string, NodeTraits> = new Map([
  ["ETH", { feeSlug: "eth", hasMemos: false, fee: 10n ** 15n }],
  ["LTC", { feeSlug: "ltc", hasMemos: false, fee: 20_000n }],
  ["XRP", { feeSlug: "xrp", hasMemos: true, fee: 12n }],
]);

export const CONFIRMATIONS: ReadonlyMap<string, number> = new Map([
  ["ETH", 2],
  ["LTC", 2],
  ["XRP", 3],
]);

export const confirmationsOf = (network: string): number => {
  const found = CONFIRMATIONS.get(network);
  if (found === undefined) throw new Error(`${network} is not simulated`);
  return found;
};

/** The catalogue that ships, with the simulated networks traded; `confirmations` is what orders wait for. */
export function simCatalogue(confirmations: (network: string) => number): Catalogue {
  const depths = COINS.map(({ slug, network }): [string, number] => [slug, confirmations(network)]);
  const catalogue = readCatalogue(shipped, {
    confirmations: new Map([...depths, ["usdc-erc20", confirmations("ETH")]]),
    simulatedNetworks: new Set(NETWORKS.keys()),
  });
  return { ...catalogue, terms: { ...catalogue.terms, earningsSlug: EARNINGS_SLUG } };
}

/** Prices that the simulation moves, and that can be missing. */
export class SimRates extends StillRates {
  areMissing = false;
  override prices = new Map(COINS.map(({ slug, usd }) => [slug, BigInt(usd) * SCALE]));
  override fees = new Map([
    ["eth", 10n ** 15n],
    ["usdt-erc20", 1_000_000n],
    ["ltc", 20_000n],
    ["xrp", 12n],
  ]);

  override snapshot(): PriceSnapshot {
    if (this.areMissing)
      throw new CodedError("ERR_SERVICE_UNAVAILABLE", "There is no price now", { retryAfterSeconds: 5 });
    return super.snapshot();
  }

  override async priceClaim(given: Parameters<StillRates["priceClaim"]>[0]): Promise<PricedClaim> {
    const priced = await super.priceClaim(given);
    const coin = COINS.find(({ slug }) => slug === given.from);
    if (coin === undefined) throw new Error(`${given.from} is not traded here`);
    const worth = (usd: bigint) => (usd * 10n ** BigInt(coin.decimals)) / BigInt(coin.usd);
    return { ...priced, bounds: { min: toMinor(worth(MIN_USD)), max: toMinor(worth(MAX_USD)) } };
  }
}
