import type { Messenger } from "../sdk/port.ts";
import "./shell.css";

/** Gives the page's styles what the client says of the screen: `--shell-height` and the covered edges, `--inset-…`. */
export function followViewport(messenger: Pick<Messenger, "expand" | "onViewport">): void {
  const { style } = document.documentElement;
  messenger.onViewport(({ stableHeight, insets }) => {
    if (stableHeight !== null) style.setProperty("--shell-height", `${stableHeight}px`);
    for (const [edge, pixels] of Object.entries(insets)) style.setProperty(`--inset-${edge}`, `${pixels}px`);
  });
  messenger.expand();
}
