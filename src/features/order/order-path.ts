import { type Locale, localePath } from "../../lib/locale.ts";

/** The address of an order's page in a language; both parts open it (spec §2). */
export function orderPath(locale: Locale, orderId: string, destinationAddress: string): string {
  const query = new URLSearchParams({ destinationAddress });
  return `${localePath(locale, `/order/${encodeURIComponent(orderId)}`)}?${query}`;
}
