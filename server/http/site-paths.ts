/**
 * The one form of an address (guard 4 of spec §2): repeated slashes collapsed, no slash at the end, `/ua` read as `/uk`;
 * the query is kept. Gives null when the address already has that form.
 */
export function normalisePath(url: string): string | null {
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? "" : url.slice(mark);
  const normal = normalise(path) + query;
  return normal === url ? null : normal;
}

function normalise(path: string): string {
  // Browsers read a backslash as a slash: left as it is, `/\host` would lead away from the site.
  const collapsed = path.replace(/[\\/]+/g, "/").replace(/(.)\/$/, "$1");
  return collapsed.replace(/^\/ua(?=\/|$)/, "/uk");
}
