import type { TelegramClient } from "../telegram-client.ts";
import "../telegram.css";

/** Gives the page's styles what the client says of the screen: `--shell-height` and the covered edges, `--inset-…`. */
export function followViewport(telegram: Pick<TelegramClient, "expand" | "onViewport">): void {
  const { style } = document.documentElement;
  telegram.onViewport(({ stableHeight, insets }) => {
    if (stableHeight !== null) style.setProperty("--shell-height", `${stableHeight}px`);
    for (const [edge, pixels] of Object.entries(insets)) style.setProperty(`--inset-${edge}`, `${pixels}px`);
  });
  telegram.expand();
}
