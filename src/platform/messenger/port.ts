import type { Palette } from "./palette.ts";

/** What the app asks of the messenger that shows it. What a client can't do is left undone: none of it throws. */
export type Messenger = {
  /** As it came, to be checked by the server; null where the client gave none, as from a keyboard button. */
  readonly initData: string | null;
  /** A deeplink's, by the launch data; null without one. */
  readonly startParameter: string | null;
  /** Shows the client's Back while there is a handler. */
  setBack(handler: (() => void) | null): void;
  /** Called at once and at each change of the messenger's theme. */
  onPalette(follow: (palette: Palette) => void): void;
  setBars(bars: Palette["bars"]): void;
  close(): void;
};
