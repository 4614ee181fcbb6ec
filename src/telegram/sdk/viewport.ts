import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

type Insets = { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };

/** How much of the screen the page has, in CSS pixels. */
export type Viewport = {
  /** What stays visible while the client moves the page; null until it was told. */
  readonly stableHeight: number | null;
  /** What the device and, over it, the client's own controls cover at each edge. */
  readonly insets: Insets;
};

const NONE: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

/** The visible part of the page. A client that answers nothing leaves it as the browser has it. */
export function viewportOf(client: Client): Pick<TelegramClient, "expand" | "onViewport"> {
  return {
    expand: () => void client.tell("web_app_expand"),
    onViewport(follow) {
      let stableHeight: number | null = null;
      let [device, content] = [NONE, NONE];
      const tell = () => follow({ stableHeight, insets: added(device, content) });
      client.on("viewport_changed", ({ height, is_state_stable }) => {
        if (!is_state_stable || pixels(height) === 0) return;
        stableHeight = height;
        tell();
      });
      client.on("safe_area_changed", (insets) => {
        device = readInsets(insets);
        tell();
      });
      client.on("content_safe_area_changed", (insets) => {
        content = readInsets(insets);
        tell();
      });
      client.tell("web_app_request_viewport");
      client.tell("web_app_request_safe_area");
      client.tell("web_app_request_content_safe_area");
    },
  };
}

/** The SDK passes these on as they come. */
const readInsets = (told: Partial<Insets> | null): Insets => ({
  top: pixels(told?.top),
  right: pixels(told?.right),
  bottom: pixels(told?.bottom),
  left: pixels(told?.left),
});

const pixels = (told: unknown): number => (typeof told === "number" && told > 0 ? told : 0);

const added = (one: Insets, other: Insets): Insets => ({
  top: one.top + other.top,
  right: one.right + other.right,
  bottom: one.bottom + other.bottom,
  left: one.left + other.left,
});
