import type { PairData } from "#contract/rate.ts";
import {
  addDecimals,
  decimalPlaces,
  DISPLAYED_DECIMALS,
  divideDecimals,
  percentOf,
  roundDecimal,
} from "#contract/money.ts";

type FeeRows = {
  /** What the sent amount is worth before fees; the sum of the other three, as shown. */
  marketValue: string;
  platformFee: string;
  networkFee: string;
  amountToGet: string;
  /** Of the receiving instrument for one of the sending one, before fees. */
  marketRate: string;
  /** The platform fee as a share of the market value, in percent. */
  platformFeePercent: string;
};

/** The sum that a reader can add up: market value − our fee − network fee = what you get, all in the receiving instrument. */
export function feeRows(rate: PairData): FeeRows {
  const parts = [rate.platformFee_Absolute, rate.finalNetworkFeeAmount, rate.amountToGet];
  const decimals = Math.min(DISPLAYED_DECIMALS, Math.max(...parts.map(decimalPlaces)));
  const platformFee = roundDecimal(rate.platformFee_Absolute, decimals, "up");
  const networkFee = roundDecimal(rate.finalNetworkFeeAmount, decimals, "up");
  const amountToGet = roundDecimal(rate.amountToGet, decimals, "down");
  const marketValue = addDecimals(platformFee, networkFee, amountToGet);
  return {
    marketValue,
    platformFee,
    networkFee,
    amountToGet,
    marketRate: divideDecimals(addDecimals(...parts), rate.amountToGive) ?? "0",
    platformFeePercent: percentOf(rate.platformFee_Absolute, addDecimals(...parts)) ?? "0",
  };
}
