import { localePath, splitLocale } from "#contract/locale.ts";
import { type Guard, redirectTo } from "./guard.ts";

/** Guard 4 of spec §2: every page has one URL. */
export const normalPath: Guard = async ({ requested }) => {
  const normal = normalisePath(requested);
  return normal === null ? null : redirectTo(normal);
};

/**
 * Collapses repeated slashes, removes the trailing slash, reads `/ua` as `/uk`, writes letters, digits, `-`, `_` and `~` without percent
 * codes (RFC 3986 §6.2.2.2); keeps query and hash. Null for a URL that is already normal.
 */
export function normalisePath(url: string): string | null {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const rest = end === -1 ? "" : url.slice(end);
  const normal = normalise(path) + rest;
  return normal === url ? null : withoutFirstPage(normalise(path)) + rest;
}

/** The blog would redirect its first page's number once more. */
function withoutFirstPage(normal: string): string {
  const { locale, path } = splitLocale(normal);
  return localePath(locale, path.replace(/^(\/blog(?:\/[^/]+)*)\/page1$/, "$1"));
}

function normalise(path: string): string {
  // Browsers read a backslash as a slash: `/\host` would leave the site.
  const collapsed = path.replace(/[\\/]+/g, "/").replace(/(.)\/$/, "$1");
  return collapsed.replace(/%[0-7][\da-f]/gi, plain).replace(/^\/ua(?=\/|$)/, "/uk");
}

function plain(code: string): string {
  const character = decodeURIComponent(code);
  return /[\w~-]/.test(character) ? character : code;
}
