/** Pages whose answer lets the provider's page into a frame: the same that `server/site` opens for it. */
const FRAMING_PAGE = /^(?:\/ru)?\/exchange-/;

/**
 * Whether this document may show the provider's page in a frame, by the page that it was loaded as: one that was entered by another
 * page has that one's policy.
 */
export function mayFrame(url: string): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return (
    entry !== undefined && FRAMING_PAGE.test(new URL(entry.name).pathname) && new URL(url).protocol.startsWith("http")
  );
}
