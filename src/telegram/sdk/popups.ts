import { askingBy } from "./asking.ts";
import type { Client } from "./client.ts";
import { PopupError } from "../popup-error.ts";
import { type Popup, popupFault } from "../popup.ts";
import type { TelegramClient } from "../telegram-client.ts";

/** A reader may think; a client that has shown nothing in this time shows nothing at all. */
const LIMIT_MS = 60_000;

/** Questions in the client's own popup (6.2), one at a time. */
export function popupsOf(client: Client): Pick<TelegramClient, "popUp"> {
  const ask = askingBy(client, "popup_closed");
  let isOpen = false;
  let isDumb = false;
  return {
    async popUp(popup) {
      const fault = popupFault(popup);
      if (fault !== null) throw new PopupError(fault);
      if (isOpen) throw new PopupError("POPUP_BUSY");
      if (isDumb) throw new PopupError("POPUP_UNSUPPORTED");
      isOpen = true;
      const answer = await ask({
        post: () => client.tell("web_app_open_popup", posted(popup)),
        limitMs: LIMIT_MS,
        isModal: true,
      });
      isOpen = false;
      isDumb = answer === "unanswered";
      if (answer === "refused") throw new PopupError("POPUP_UNSUPPORTED");
      if (answer === "unanswered") throw new PopupError("POPUP_UNANSWERED");
      const pressed = answer.payload.button_id;
      // A client may name a button that isn't there.
      return popup.buttons?.some(({ id }) => id === pressed) === true ? (pressed ?? null) : null;
    },
  };
}

const posted = ({ title = "", message, buttons = [] }: Popup) => ({
  title: title.trim(),
  message: message.trim(),
  buttons:
    buttons.length === 0
      ? [{ id: "", type: "close" as const }]
      : buttons.map((button) => ("text" in button ? { ...button, text: button.text.trim() } : button)),
});
