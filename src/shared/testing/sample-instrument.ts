import type { Instrument } from "#contract/instrument.ts";

/** An instrument on Ethereum as the service lists it, with 18 decimals and the price of a dollar unless `over` says otherwise. */
export function sampleInstrument(slug: string, over: Partial<Instrument> = {}): Instrument {
  const currencyTitle = over.currencyTitle ?? slug.split("-")[0]?.toUpperCase() ?? slug;
  return {
    currencyTitle,
    networkTitle: "ETH",
    slug,
    bestChangeName: null,
    coinstatValue: null,
    price: "1",
    currencyLogoLink: null,
    currencyFriendlyTitle: currencyTitle,
    networkFriendlyTitle: "Ethereum",
    instrumentType: "other",
    requiresMemo: false,
    precisionDecimals: 18,
    contractAddress: null,
    isPopular: true,
    explorerTx: null,
    explorerAddress: null,
    confirmations: 3,
    networkStandard: null,
    payoutFee: null,
    blockSeconds: null,
    payoutSeconds: null,
    ...over,
  };
}
