import type { Instrument, PairList } from "#contract/instrument.ts";
import type { Api } from "#contract/ssr.ts";
import { CallError } from "../../../lib/call-error.ts";

/** What one coin pays at an exchange of about `ASKED_USD`, all fees taken. */
export type RateNow = {
  readonly instrument: Pick<Instrument, "currencyTitle" | "networkTitle" | "instrumentType" | "currencyFriendlyTitle">;
  readonly ticker: string;
  readonly price: string;
  readonly min: string;
  readonly max: string | null;
  /** `{from}-{to}`. */
  readonly pair: string;
};

/** The size that the shown rates hold for, since the network fee weighs more on a small exchange. */
export const ASKED_USD = 500n;
const SHOWN = 6;
const QUOTED_IN = "USDT";

/** Real rates of the popular coins; a coin without a rate now is left out. */
export async function loadRates(
  api: Api,
  { instruments, pairs }: { instruments: readonly Instrument[]; pairs: PairList },
): Promise<RateNow[]> {
  const to = instruments.find(
    ({ currencyTitle, slug }) => currencyTitle === QUOTED_IN && pairs.some((pair) => pair.to.includes(slug)),
  );
  if (to === undefined) return [];
  const asked = instruments
    .filter(
      ({ currencyTitle, slug }) =>
        currencyTitle !== QUOTED_IN && pairs.some((pair) => pair.from === slug && pair.to.includes(to.slug)),
    )
    .sort((a, b) => Number(b.isPopular) - Number(a.isPopular))
    .slice(0, SHOWN);
  const rates = await Promise.all(asked.map((from) => loadRate(api, from, to)));
  return rates.filter((rate) => rate !== null);
}

async function loadRate(api: Api, from: Instrument, to: Instrument): Promise<RateNow | null> {
  const amount = from.price === null ? null : worth(from.price, Math.min(6, from.precisionDecimals));
  if (amount === null) return null;
  try {
    const rate = await api.call("rate", {
      query: {
        instrumentFromSlug: from.slug,
        instrumentToSlug: to.slug,
        claimedDepositAmount: amount,
        rateMode: "FLOATING",
      },
    });
    const { currencyTitle, networkTitle, instrumentType, currencyFriendlyTitle } = from;
    return {
      instrument: { currencyTitle, networkTitle, instrumentType, currencyFriendlyTitle },
      ticker: to.currencyTitle,
      price: rate.price,
      min: rate.depositRules.minAmount,
      max: rate.depositRules.maxAmount,
      pair: `${from.slug}-${to.slug}`,
    };
  } catch (error) {
    if (error instanceof CallError) return null;
    throw error;
  }
}

/** How much of a coin is worth ASKED_USD, cut to some decimals; null when that is nothing. */
export function worth(price: string, decimals: number): string | null {
  const [whole = "", fraction = ""] = price.split(".");
  const scaledPrice = BigInt(whole + fraction);
  if (scaledPrice === 0n) return null;
  const amount = (ASKED_USD * 10n ** BigInt(fraction.length + decimals)) / scaledPrice;
  if (amount === 0n) return null;
  const digits = amount.toString().padStart(decimals + 1, "0");
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return digits.slice(0, digits.length - decimals) + (decimals === 0 || rest === "" ? "" : `.${rest}`);
}
