import { percentDecoded } from "#contract/links/percent-decoding.ts";

/** A cookie that scripts of ours may read, for Set-Cookie and `document.cookie`. */
export const cookieText = (name: string, value: string, maxAgeSeconds: number, isSecure: boolean): string =>
  `${name}=${encodeURIComponent(value)}; Max-Age=${maxAgeSeconds}; Path=/; SameSite=Lax${isSecure ? "; Secure" : ""}`;

/** Keeps a value for the whole site; an age below 0 takes it away. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number): void {
  document.cookie = cookieText(name, value, maxAgeSeconds, location.protocol === "https:");
}

/** A cookie's decoded value; null where there is none, or something else has written it. */
export function readCookie(name: string): string | null {
  const pair = document.cookie.split("; ").find((text) => text.startsWith(`${name}=`));
  return pair === undefined ? null : percentDecoded(pair.slice(name.length + 1));
}
