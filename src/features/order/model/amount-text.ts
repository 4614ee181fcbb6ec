import type { Instrument } from "#contract/instrument.ts";
import { formatCrypto, formatRate } from "../../../shared/format/format.ts";

const NO_BREAK = "\u00A0";

/** `0.5 ETH`, to eight decimals. */
export const coinText = (amount: string, instrument: Instrument): string =>
  `${formatCrypto(amount)}${NO_BREAK}${instrument.currencyTitle}`;

/** `0.5 ETH` with every decimal that the coin has, for a sum that must be paid as it stands. */
export const exactCoinText = (amount: string, instrument: Instrument): string =>
  `${formatCrypto(amount, instrument.precisionDecimals)}${NO_BREAK}${instrument.currencyTitle}`;

/** `1 ETH = 2 980 USDT` */
export const rateText = (price: string, from: Instrument, to: Instrument): string =>
  `1${NO_BREAK}${from.currencyTitle} = ${formatRate(price)}${NO_BREAK}${to.currencyTitle}`;
