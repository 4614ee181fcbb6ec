/** What browsers tell of the connection; not all of them do. */
type Connection = { readonly saveData?: boolean; readonly effectiveType?: string };

const SLOW = new Set(["slow-2g", "2g", "3g"]);

/** Whether to load what may never be needed: not over a slow connection, and not where the user saves data (spec §9). */
export const mayPrefetch = (
  connection = (globalThis.navigator as { connection?: Connection } | undefined)?.connection,
): boolean => connection?.saveData !== true && !SLOW.has(connection?.effectiveType ?? "");
