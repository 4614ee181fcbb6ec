import { readCookie } from "./cookies.ts";
import { isWidget } from "./is-widget.ts";

const COOKIE = "referralID";
const ATTRIBUTES = "Path=/; SameSite=Lax";
/** spec §9 */
const DAY_SECONDS = 24 * 3_600;

/** The cookie of a referrer, for Set-Cookie and `document.cookie`; scripts read it when they create an order. */
export const referralCookie = (referrer: string, isSecure: boolean): string =>
  `${COOKIE}=${encodeURIComponent(referrer)}; Max-Age=${DAY_SECONDS}; ${ATTRIBUTES}${isSecure ? "; Secure" : ""}`;

/** The referrer that a link's `ref` left for 24 hours (spec §2, guard 3): it goes with a registration and with orders. Null without one. */
export const readReferral = (): string | null => (isWidget() ? null : readCookie(COOKIE) || null);

/** The service knows no such referrer (spec §8). */
export function forgetReferral(): void {
  if (isWidget()) return;
  document.cookie = `${COOKIE}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${ATTRIBUTES}`;
}
