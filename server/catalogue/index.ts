export { CatalogueError, loadCatalogue } from "./catalogue.ts";
export { warnOfLowFixedFees } from "./fixed-fee.ts";
export { feeInstrument, PRICE_DECIMALS, readAmount, requireInstrument, toInstrument } from "./instrument.ts";
export { MONTHLY_PAYOUT_COINS, withdrawalCoins } from "./withdrawal-coins.ts";
export type { Catalogue, CatalogueInstrument, PaymentCaps, ReplacementTerms } from "./port.ts";
