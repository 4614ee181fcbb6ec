import { type Locale, localePath } from "../../shared/i18n/locale.ts";

/** The address of an order's page in a language; both parts open it (spec §2). */
export const orderPath = (locale: Locale, orderId: string, destinationAddress: string): string =>
  localePath(locale, orderHref(orderId, destinationAddress));

/** The same without language, for links inside the app. */
export const orderHref = (orderId: string, destinationAddress: string): string =>
  `/order/${encodeURIComponent(orderId)}?${new URLSearchParams({ destinationAddress })}`;
