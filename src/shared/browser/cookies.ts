import { percentDecoded } from "#contract/links/percent-decoding.ts";

/** A cookie's decoded value; null where there is none, or something else has written it. */
export function readCookie(name: string): string | null {
  const pair = document.cookie.split("; ").find((text) => text.startsWith(`${name}=`));
  return pair === undefined ? null : percentDecoded(pair.slice(name.length + 1));
}
