import { formatCrypto } from "../../../shared/format/format.ts";

/** `128.4 USDT` */
export const sumText = (amount: string, currencyTitle: string): string =>
  `${formatCrypto(amount)}\u00A0${currencyTitle}`;
