import type { OrderLocale } from "./fields.ts";

/**
 * The path of an order's page; both its id and its destination address are needed to open it (spec §2). English has no
 * prefix.
 */
export const orderPath = (orderId: string, destinationAddress: string, locale: OrderLocale = "en"): string =>
  `${locale === "en" ? "" : `/${locale}`}/order/${encodeURIComponent(orderId)}?destinationAddress=${encodeURIComponent(destinationAddress)}`;
