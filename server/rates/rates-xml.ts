import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  minorUnits,
  decimalPlaces,
  ratio,
  roundDecimal,
} from "#contract/money.ts";
import { escapeMarkup } from "#contract/site/escape-markup.ts";
import type { PairData } from "#contract/rate.ts";

export type PublishedRate = {
  /** The monitors' own names of the two coins. */
  readonly from: string;
  readonly to: string;
  readonly data: Pick<PairData, "amountToGive" | "amountToGet" | "finalNetworkFeeAmount" | "depositRules">;
  /** What can be paid out of the receiving coin now; null while it is unknown. */
  readonly available: string | null;
};

/**
 * The export file that exchange monitors read: BestChange's format 1.1 (https://docs.bestchange.biz). `out` is what arrives for one coin
 * before the fee of the payout's network, which is `tofee`: together they hold for every amount between the bounds.
 */
export const ratesXml = (rates: readonly PublishedRate[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rates xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="https://docs.bestchange.biz/schema/1.1.xsd">',
    ...rates.map(item),
    "</rates>",
    "",
  ].join("\n");

function item({ from, to, data, available }: PublishedRate): string {
  const { minAmount, maxAmount } = data.depositRules;
  const rate = rateBeforeFee(data);
  const elements: [string, string | null][] = [
    ["from", from],
    ["to", to],
    ["in", "1"],
    ["out", rate],
    ["amount", reserveOf(maxAmount === null ? null : multiplyDecimals(maxAmount, rate), available)],
    ["frommin", minAmount],
    ["frommax", maxAmount],
    ["tofee", data.finalNetworkFeeAmount === "0" ? null : data.finalNetworkFeeAmount],
  ];
  const written = elements.flatMap(([name, value]) =>
    value === null ? [] : [`<${name}>${escapeMarkup(value)}</${name}>`],
  );
  return `<item>${written.join("")}</item>`;
}

function rateBeforeFee({ amountToGive, amountToGet, finalNetworkFeeAmount }: PublishedRate["data"]): string {
  const whole = addDecimals(amountToGet, finalNetworkFeeAmount);
  const decimals = Math.max(decimalPlaces(whole), decimalPlaces(amountToGive));
  return ratio(minorUnits(whole, decimals), minorUnits(amountToGive, decimals));
}

const RESERVE_DECIMALS = 8;

/** What the largest order takes, or less where there is less: how much more there is concerns nobody. */
function reserveOf(largest: string | null, available: string | null): string {
  const known = [largest, available].filter((amount) => amount !== null);
  const least = known.reduce((a, b) => (compareDecimals(a, b) <= 0 ? a : b), known[0] ?? "0");
  return roundDecimal(least, RESERVE_DECIMALS, "down");
}
