/** A question in a native popup. Without buttons the client shows one that closes it. */
export type Popup = {
  readonly title?: string;
  readonly message: string;
  readonly buttons?: readonly PopupButton[];
};

/** The client labels `ok`, `close` and `cancel` itself. */
export type PopupButton =
  | { readonly id: string; readonly type: "default" | "destructive"; readonly text: string }
  | { readonly id: string; readonly type: "ok" | "close" | "cancel" };

export type PopupFault =
  | "POPUP_TITLE_TOO_LONG"
  | "POPUP_MESSAGE_MISSING"
  | "POPUP_MESSAGE_TOO_LONG"
  | "POPUP_BUTTONS_TOO_MANY"
  | "POPUP_BUTTON_ID_TOO_LONG"
  | "POPUP_BUTTON_TEXT_MISSING"
  | "POPUP_BUTTON_TEXT_TOO_LONG";

/** spec §5 and §9, in UTF-16 units, which the clients count. */
const LIMITS = { title: 64, message: 256, buttons: 3, id: 64, text: 64 };

/** The first popup rule of spec §5 that a question breaks; null for a valid one. Whitespace around texts doesn't count. */
export function popupFault({ title = "", message, buttons = [] }: Popup): PopupFault | null {
  if (title.trim().length > LIMITS.title) return "POPUP_TITLE_TOO_LONG";
  if (message.trim() === "") return "POPUP_MESSAGE_MISSING";
  if (message.trim().length > LIMITS.message) return "POPUP_MESSAGE_TOO_LONG";
  if (buttons.length > LIMITS.buttons) return "POPUP_BUTTONS_TOO_MANY";
  return buttons.map(buttonFault).find((fault) => fault !== null) ?? null;
}

function buttonFault(button: PopupButton): PopupFault | null {
  if (button.id.length > LIMITS.id) return "POPUP_BUTTON_ID_TOO_LONG";
  if (button.type !== "default" && button.type !== "destructive") return null;
  const length = button.text.trim().length;
  if (length === 0) return "POPUP_BUTTON_TEXT_MISSING";
  return length > LIMITS.text ? "POPUP_BUTTON_TEXT_TOO_LONG" : null;
}

/** Why the client didn't ask: the question breaks a rule, the client is too old, asks something already, or never answered. */
export type PopupRefusal = PopupFault | "POPUP_UNSUPPORTED" | "POPUP_BUSY" | "POPUP_UNANSWERED";

export class PopupError extends Error {
  readonly code: PopupRefusal;

  constructor(code: PopupRefusal) {
    super(`Telegram shows no popup: ${code}`);
    this.name = "PopupError";
    this.code = code;
  }
}
