import type { PopupFault } from "./popup.ts";

/** Why the client doesn't ask: the question breaks a rule, the client is too old, it asks something already, or it never answered. */
export type PopupRefusal = PopupFault | "POPUP_UNSUPPORTED" | "POPUP_BUSY" | "POPUP_UNANSWERED";

export class PopupError extends Error {
  readonly code: PopupRefusal;

  constructor(code: PopupRefusal) {
    super(`Telegram doesn't ask: ${code}`);
    this.name = "PopupError";
    this.code = code;
  }
}
