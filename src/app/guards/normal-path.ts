import { type Guard, redirectTo } from "./guard.ts";

/** Guard 4 of spec §2: every page has one address. */
export const normalPath: Guard = async ({ asked }) => {
  const normal = normalisePath(asked);
  return normal === null ? null : redirectTo(normal);
};

/**
 * The one form of an address: repeated slashes collapsed, no slash at the end, `/ua` read as `/uk`; query and hash are kept.
 * Gives null when the address already has that form.
 */
export function normalisePath(url: string): string | null {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const rest = end === -1 ? "" : url.slice(end);
  const normal = normalise(path) + rest;
  return normal === url ? null : normal;
}

function normalise(path: string): string {
  // Browsers read a backslash as a slash: left as it is, `/\host` would lead away from the site.
  const collapsed = path.replace(/[\\/]+/g, "/").replace(/(.)\/$/, "$1");
  return collapsed.replace(/^\/ua(?=\/|$)/, "/uk");
}
