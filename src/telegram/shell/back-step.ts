type Position = {
  /** How many dialogs and sheets are open. */
  readonly dialogs: number;
  /** The page that the current one belongs to; null for a page with tabs. */
  readonly parent: string | null;
  /** How many pages of the app lie before the current one in the history. */
  readonly depth: number;
};

/**
 * What Back does: closes the top dialog, goes a page back, or, where a link began, to the page's parent; null where the
 * client shows Close.
 */
export type BackStep = { to: "dialog" } | { to: "history" } | { to: "parent"; path: string } | null;

export function backStep({ dialogs, parent, depth }: Position): BackStep {
  if (dialogs > 0) return { to: "dialog" };
  if (parent === null) return null;
  return depth > 0 ? { to: "history" } : { to: "parent", path: parent };
}
