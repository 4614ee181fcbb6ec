import type { NativeButton } from "./sdk/buttons.ts";
import type { Haptic } from "../shared/browser/haptics.ts";
import type { Palette } from "./palette.ts";
import type { Viewport } from "./sdk/viewport.ts";
import type { Popup } from "./popup.ts";
import type { Scan } from "./scanner.ts";

/** What the app asks of Telegram that shows it. What a client can't do is left undone: none of it throws. */
export type TelegramClient = {
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
  playHaptic(feeling: Haptic): void;
  /** Takes the whole height of the screen. */
  expand(): void;
  /** Called with each change, and first as soon as the client has told anything: maybe never. */
  onViewport(follow: (viewport: Viewport) => void): void;
  /** Called at once and at each change of Telegram's theme. */
  onPalette(follow: (palette: Palette) => void): void;
  setBars(bars: Palette["bars"]): void;
  close(): void;
  /**
   * Asks in the client's own popup, and gives the id of the button that was pressed; null when it was closed without one. Rejects with
   * `PopupError` for whatever our own dialog has to ask: a question that breaks a rule of spec §5, a client that can't or doesn't.
   */
  popUp(popup: Popup): Promise<string | null>;
  /** Reads a QR code by the client's scanner; the hint stands under its picture, 64 characters of it. */
  scanQr(hint: string): Promise<Scan>;
  /** Whether the client may give its clipboard: it does to few launches. */
  readonly canReadClipboard: boolean;
  /** In a press; null where the client gives nothing. */
  readClipboard(): Promise<string | null>;
  /** Opens an address outside the app, in a press; false where the client can't. */
  openLink(url: string): boolean;
  /** Offers a link to the reader's chats, in a press; false where the client can't. */
  shareLink(url: string, text: string): boolean;
  /** Whether the client can put the app on the device's home screen, and hasn't yet as far as it knows. */
  canAddToHomeScreen(): Promise<boolean>;
  /** The client asks by itself, and doesn't always tell what came of it. */
  addToHomeScreen(): void;
  /** Shows "Settings" in the client's own menu. */
  onSettings(open: () => void): void;
  /** The reader's contact as Telegram signs it, for the server to check like launch data; null where none comes. */
  requestContact(): Promise<string | null>;
};
