const KEY = "depth";

/**
 * Counts the pages of the app before the current one. Each history entry carries its own count, so that a reload finds
 * it; an entry that a link or another site began has none before it that Back should go to.
 */
export function countHistoryDepth(): () => number {
  let depth = savedDepth();
  const save = () => {
    // The router's own replaceState would announce a navigation.
    History.prototype.replaceState.call(history, { ...(history.state as object | null), [KEY]: depth }, "");
  };
  addEventListener("pushState", () => {
    depth += 1;
    save();
  });
  addEventListener("replaceState", save);
  addEventListener("popstate", () => {
    depth = savedDepth();
  });
  save();
  return () => depth;
}

function savedDepth(): number {
  const state = history.state as Record<string, unknown> | null;
  const depth = state?.[KEY];
  return typeof depth === "number" ? depth : 0;
}
