import type { OrderLocale } from "../fields.ts";

/**
 * The path of an order's page; both its id and its destination address are needed to open it (spec §2). English has no
 * prefix.
 */
export const orderPath = (orderId: string, destinationAddress: string, locale: OrderLocale = "en"): string =>
  `${locale === "en" ? "" : `/${locale}`}/order/${encodeURIComponent(orderId)}?destinationAddress=${encodeURIComponent(destinationAddress)}`;

/**
 * The path of the page that stops a waiting refund. The id and the token are in its fragment, which no server and no log between sees.
 */
export const stopRefundPath = (
  { orderId, token }: { orderId: string; token: string },
  locale: OrderLocale = "en",
): string => `${locale === "en" ? "" : `/${locale}`}/stop-refund#${new URLSearchParams({ orderId, token }).toString()}`;
