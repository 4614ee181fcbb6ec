import type { NativeButton } from "./buttons.ts";
import type { Feeling } from "./haptics.ts";
import type { Palette } from "./palette.ts";
import type { Viewport } from "./viewport.ts";

/** What the app asks of the messenger that shows it. What a client can't do is left undone: none of it throws. */
export type Messenger = {
  /** As it came, to be checked by the server; null where the client gave none, as from a keyboard button. */
  readonly initData: string | null;
  /** A deeplink's, by the launch data; null without one. */
  readonly startParameter: string | null;
  /** Shows the client's Back, or its Close in the same place. */
  showBack(isShown: boolean): void;
  onBack(goBack: () => void): void;
  /** False where the client has no such button: the page keeps its own. */
  setButton(which: "main" | "secondary", button: NativeButton | null): boolean;
  onButton(which: "main" | "secondary", press: () => void): void;
  /** Whether the client asks before it closes the app. */
  confirmClosing(isOn: boolean): void;
  /** Whether a swipe down may close the app. */
  allowSwipes(areAllowed: boolean): void;
  feel(feeling: Feeling): void;
  /** Takes the whole height of the screen. */
  expand(): void;
  /** Called with each change, and first as soon as the client has told anything: maybe never. */
  onViewport(follow: (viewport: Viewport) => void): void;
  /** Called at once and at each change of the messenger's theme. */
  onPalette(follow: (palette: Palette) => void): void;
  setBars(bars: Palette["bars"]): void;
  close(): void;
};
