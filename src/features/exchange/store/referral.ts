const COOKIE = "referralID";

/** The referrer kept from an earlier `ref` query (spec §2, guard 3); null without one. */
export function readReferral(): string | null {
  const pair = document.cookie.split("; ").find((text) => text.startsWith(`${COOKIE}=`));
  return pair === undefined ? null : decodeURIComponent(pair.slice(COOKIE.length + 1)) || null;
}

export function forgetReferral(): void {
  document.cookie = `${COOKIE}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; SameSite=Lax`;
}
