import type { Instrument } from "#contract/instrument.ts";
import type { Order } from "#contract/order.ts";
import { pairNames } from "../../../shared/format/pair-names.ts";
import { formatCrypto, formatRate, formatSum } from "../../../shared/format/format.ts";
import { exchangedSums } from "./view/promised.ts";
import type { Screen } from "./view/screen.ts";

const NO_BREAK = "\u00A0";

/** `0.5 ETH`, to eight decimals. */
export const coinText = (amount: string, instrument: Instrument): string =>
  `${formatSum(amount, instrument)}${NO_BREAK}${instrument.currencyTitle}`;

/**
 * What an order sends and what it pays, with their networks where both are one coin: `500 USDT (Tron)`. The coins alone where no sum is
 * agreed any more.
 */
export function pairTexts(order: Order, screen: Screen): { sent: string; paid: string } {
  const names = pairNames(order.pair.instrumentFrom, order.pair.instrumentTo);
  const sums = exchangedSums(order, screen);
  if (sums === null) return { sent: names.from, paid: names.to };
  return {
    sent: `${formatSum(sums.sent, order.pair.instrumentFrom)}${NO_BREAK}${names.from}`,
    paid: `${formatSum(sums.paid, order.pair.instrumentTo)}${NO_BREAK}${names.to}`,
  };
}

/** `0.5 ETH` with every decimal that the coin has, for a sum that must be paid as it stands. */
export const exactCoinText = (amount: string, instrument: Instrument): string =>
  `${formatCrypto(amount, instrument.precisionDecimals)}${NO_BREAK}${instrument.currencyTitle}`;

/** `1 ETH = 2 980 USDT` */
export const rateText = (price: string, from: Instrument, to: Instrument): string =>
  `1${NO_BREAK}${from.currencyTitle} = ${formatRate(price)}${NO_BREAK}${to.currencyTitle}`;
