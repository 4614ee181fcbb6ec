import { DEFAULT_LOCALE, type Locale, localeBase } from "../locale.ts";

/**
 * The path of an order's page; both its id and its destination address are needed to open it (spec §2).
 */
export const orderPath = (orderId: string, destinationAddress: string, locale: Locale = DEFAULT_LOCALE): string =>
  `${localeBase(locale)}/order/${encodeURIComponent(orderId)}?destinationAddress=${encodeURIComponent(destinationAddress)}`;

/**
 * The path of the page that stops a waiting refund. The id and the token are in its fragment, which no server and no log between sees.
 */
export const stopRefundPath = (
  { orderId, token }: { orderId: string; token: string },
  locale: Locale = DEFAULT_LOCALE,
): string => `${localeBase(locale)}/stop-refund#${new URLSearchParams({ orderId, token }).toString()}`;
