import type { Haptic } from "../shared/browser/haptics.ts";
import type { Popup } from "./popup.ts";

/** `closed` by the user without a code; `unavailable` where the page has to use the camera itself. */
export type Scan = { readonly text: string } | "closed" | "unavailable";

/** `unanswered` by a client that fails or shows no prompt. */
export type WriteAccessAnswer = "allowed" | "refused" | "unanswered";

/** The Telegram client around the page. What a client can't do is left undone: none of these throws, but `popUp`. */
export type TelegramClient = {
  /** The launch data as it came, for the server to check; null where the client gave none, as from a keyboard button. */
  readonly initData: string | null;
  /** A deeplink's parameter, by the launch data; null without one. */
  readonly startParameter: string | null;
  /** The person's name as they see it in Telegram: to show, not to trust. Null where the client gave none. */
  readonly personName: string | null;
  playHaptic(haptic: Haptic): void;
  close(): void;
  /**
   * Asks in a native popup and gives the id of the pressed button; null when it was closed without one. Rejects with `PopupError`
   * where the page has to ask itself: the question breaks a rule of spec §5, or the client can't ask or doesn't.
   */
  popUp(popup: Popup): Promise<string | null>;
  /** Reads a QR code with the client's scanner; shows the hint, 64 characters of it, under the picture. */
  scanQr(hint: string): Promise<Scan>;
  /** Whether the client gives its clipboard to this launch: it does to few. */
  readonly canReadClipboard: boolean;
  /** In a click handler; null where the client gives nothing. */
  readClipboard(): Promise<string | null>;
  /** Opens a URL outside the app, in a click handler; false where the client can't. */
  openLink(url: string): boolean;
  /** Opens the chat picker to share a link, in a click handler; false where the client can't. */
  shareLink(url: string, text: string): boolean;
  /** Whether the client can add the app to the home screen and hasn't yet, as far as it knows. */
  canAddToHomeScreen(): Promise<boolean>;
  addToHomeScreen(): void;
  /** Whether the bot may write to the user, as the launch data says; `unsupported` where it may not and the client can't ask. */
  readonly writeAccess: "allowed" | "open" | "unsupported";
  /** Asks the user whether the bot may write to them, in a click handler. */
  requestWriteAccess(): Promise<WriteAccessAnswer>;
  /** The user's contact as Telegram signs it, for the server to check like launch data; null where none comes. */
  requestContact(): Promise<string | null>;
};
