const KEY = "depth";

/**
 * How many pages of the app lie before the current one. Each entry of the history carries its own, so that a reload finds it; an
 * entry that a link or another site began has none before it that Back should go to.
 */
export function followDepth(): () => number {
  let depth = written();
  const write = () => {
    // The router has put its own in the place of the history's: this is not a move.
    History.prototype.replaceState.call(history, { ...(history.state as object | null), [KEY]: depth }, "");
  };
  addEventListener("pushState", () => {
    depth += 1;
    write();
  });
  addEventListener("replaceState", write);
  addEventListener("popstate", () => {
    depth = written();
  });
  write();
  return () => depth;
}

function written(): number {
  const state = history.state as Record<string, unknown> | null;
  const depth = state?.[KEY];
  return typeof depth === "number" ? depth : 0;
}
