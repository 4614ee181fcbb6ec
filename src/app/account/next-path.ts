/** Where `login` leads back to: a path of our own with its query; null for anything else (contract §4). */
export function nextPath(query: URLSearchParams): string | null {
  const next = query.get("next") ?? "";
  // Browsers read a backslash as a slash, and drop tabs and line ends: `/\host` would leave the site.
  if (!/^\/(?![\\/])[^\\\p{Cc}]*$/u.test(next)) return null;
  return next;
}
