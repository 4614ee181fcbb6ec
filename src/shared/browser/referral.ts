import { readCookie } from "./cookies.ts";
import { isWidget } from "./is-widget.ts";

const COOKIE = "referralID";

/** The referrer that a link's `ref` left for 24 hours (spec §2, guard 3): it goes with a registration and with orders. Null without one. */
export const readReferral = (): string | null => (isWidget() ? null : readCookie(COOKIE) || null);

/** The service knows no such referrer (spec §8). */
export function forgetReferral(): void {
  if (isWidget()) return;
  document.cookie = `${COOKIE}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; SameSite=Lax`;
}
