import { percentDecoded } from "#contract/links/percent-decoding.ts";

/** Nearly every path: nothing in it can be written in another way. */
const PLAIN = /^(?:\/[\w.~-]+)+\/?(?=[?#]|$)/;
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The path that a request names, for whatever depends on it beside its route: `/%61pi`, `//api` and `http://any.example/api` are `/api`
 * here as they are to the router, or to the pages. Without query and fragment.
 */
export function pathOf({ url }: { readonly url: string }): string {
  const plain = PLAIN.exec(url)?.[0];
  if (plain !== undefined) return plain;
  const [path = ""] = url.replace(ORIGIN, "").split(/[?#]/, 1);
  // A malformed percent code leads to no route; what is around it still names an area.
  return (percentDecoded(path) ?? path).replace(/[\\/]+/g, "/") || "/";
}
