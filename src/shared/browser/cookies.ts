/** A cookie's decoded value; null where there is none, or something else has written it. */
export function readCookie(name: string): string | null {
  const pair = document.cookie.split("; ").find((text) => text.startsWith(`${name}=`));
  try {
    return pair === undefined ? null : decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    // No URI encoding.
    return null;
  }
}
