import { CodedError } from "#contract/errors.ts";
import type { Instrument } from "#contract/instrument.ts";
import { formatAmount, parseAmount, type Minor } from "#contract/money.ts";
import type { Catalogue, CatalogueInstrument } from "./port.ts";

/** The decimals of a USD price inside the server: prices are bigints scaled by 10^18. */
export const PRICE_DECIMALS = 18;

/** What changes of an instrument; each is null while it is unknown. */
type InstrumentNow = {
  /** USD scaled by 10^18. */
  price: bigint | null;
  /** What a payout costs in the instrument's own minor units. */
  payoutFee: bigint | null;
  /** The average time between two blocks, and how long payouts take. */
  blockSeconds: number | null;
  payoutSeconds: number | null;
};

/** The instrument as the app sees it (spec §3, contract §2). */
export function toInstrument(
  given: CatalogueInstrument,
  { price, payoutFee, blockSeconds, payoutSeconds }: InstrumentNow,
): Instrument {
  return {
    currencyTitle: given.currencyTitle,
    networkTitle: given.networkTitle,
    slug: given.slug,
    bestChangeName: given.bestChangeName,
    coinstatValue: null,
    price: price === null ? null : formatAmount(price, PRICE_DECIMALS),
    currencyLogoLink: null,
    currencyFriendlyTitle: given.currencyFriendlyTitle,
    networkFriendlyTitle: given.networkFriendlyTitle,
    instrumentType: given.instrumentType,
    requiresMemo: given.requiresMemo,
    precisionDecimals: given.decimals,
    contractAddress: given.contractAddress,
    isPopular: given.isPopular,
    explorerTx: given.explorerTx,
    explorerAddress: given.explorerAddress,
    confirmations: given.confirmations,
    networkStandard: given.networkStandard,
    payoutFee: payoutFee === null ? null : formatAmount(payoutFee, given.decimals),
    blockSeconds,
    payoutSeconds,
  };
}

/**
 * Reads what a caller wants to send or get, in minor units. Zero, a broken grammar and more decimals than the instrument has
 * are ERR_VALIDATION at `field` (contract §2).
 */
export function readAmount<Of extends string = string>(
  given: CatalogueInstrument,
  text: string,
  field: string,
): Minor<Of> {
  const amount = parseAmount<Of>(text, given.decimals);
  if (amount !== null && amount > 0n) return amount;
  const reason =
    amount === null
      ? `must be a plain decimal with at most ${given.decimals} decimals of ${given.currencyTitle}`
      : "must be more than zero";
  throw new CodedError("ERR_VALIDATION", "The request is not valid", { data: { [field]: reason } });
}

/** The coin that pays a network's fees: `networkTitle` is its name (contract §2). Null where the catalogue has no such coin. */
export function feeInstrument(
  catalogue: Pick<Catalogue, "instruments">,
  networkTitle: string,
): CatalogueInstrument | null {
  for (const one of catalogue.instruments.values())
    if (one.networkTitle === networkTitle && one.currencyTitle === networkTitle) return one;
  return null;
}

/** An instrument by its slug. Throws where the catalogue has none: a stored slug stays in it. */
export function requireInstrument({ instruments }: Pick<Catalogue, "instruments">, slug: string): CatalogueInstrument {
  const found = instruments.get(slug);
  if (found === undefined) throw new Error(`${slug} is missing in the catalogue`);
  return found;
}
