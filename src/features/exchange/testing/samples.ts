import type { Instrument } from "#contract/instrument.ts";
import type { PairData } from "#contract/rate.ts";
import { sampleInstrument as instrument } from "../../../shared/testing/sample-instrument.ts";

/** Instruments and rates for the tests of this feature. */
export const sampleInstrument = (slug: string, over: Partial<Instrument> = {}): Instrument =>
  instrument(slug, { precisionDecimals: 6, ...over });

export const ETH = sampleInstrument("eth", { currencyFriendlyTitle: "Ethereum", precisionDecimals: 18, price: "3000" });
export const USDT = sampleInstrument("usdt-erc20", {
  currencyFriendlyTitle: "Tether",
  contractAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
});
export const DAI = sampleInstrument("dai-erc20", {
  currencyFriendlyTitle: "Dai",
  precisionDecimals: 18,
  isPopular: false,
});

export function sampleRate(over: Partial<PairData> = {}): PairData {
  return {
    instrumentFrom: ETH,
    instrumentTo: USDT,
    liquidityProviderPublicCode: "treasury",
    amountToGive: "0.5",
    amountToGet: "1492.3",
    rateMode: "FLOATING",
    price: "2984.6",
    marketLeftPrice: "3000",
    marketRightPrice: "1",
    marketMinAmount: "0.01",
    generalMinAmount: "0.01",
    generalMaxAmount: "100",
    quotes: { buyQuote: { quoteValue: "2984.6" }, sellQuote: { quoteValue: "2984.6" } },
    depositRules: { minAmount: "0.01", maxAmount: "100" },
    finalNetworkFeeAmount: "0.2",
    platformFee_Absolute: "7.5",
    claimedDepositAmount: "0.5",
    updatedAt: "2026-11-21T09:00:00.000Z",
    validUntil: null,
    ckm: "D",
    noKycThreshold: null,
    card: null,
    estimatedSeconds: null,
    ...over,
  };
}
