import type { Guard } from "./guard.ts";

/** As long as a referrer's name may be in an order. */
const MAX_LENGTH = 128;

/** Guard 3 of spec §2: a `ref` in the query is kept for the orders to come. */
export const referral: Guard = async ({ query }, { keepReferral }) => {
  const given = query.get("ref") ?? "";
  if (given !== "" && given.length <= MAX_LENGTH) keepReferral(given);
  return null;
};

/** spec §9 */
const DAY_SECONDS = 24 * 3_600;

/** The cookie `referralID`, for Set-Cookie and `document.cookie` alike; scripts read it when an order is created. */
export const referralCookie = (given: string, isSecure: boolean): string =>
  `referralID=${encodeURIComponent(given)}; Max-Age=${DAY_SECONDS}; Path=/; SameSite=Lax${isSecure ? "; Secure" : ""}`;
