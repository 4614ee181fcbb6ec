/** A part of a URL, or a cookie, as it was before percent encoding; null where a code is malformed. A "+" stays one: only forms write spaces so. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
