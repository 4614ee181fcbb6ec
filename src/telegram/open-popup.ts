import { isConcurrentCallError, isTimeoutError, popup } from "@telegram-apps/sdk-react";
import { onPageTouch } from "./page-touch.ts";
import { type Popup, PopupError, popupFault } from "./popup.ts";

/** A user may think; a client that has shown nothing in this time shows nothing at all. */
const TIMEOUT_MS = 60_000;

/** A client said that it supports popups, and showed none. */
let isBroken = false;

/** Asks in the client's popup (6.2), one question at a time. */
export async function openPopup(question: Popup): Promise<string | null> {
  const fault = popupFault(question);
  if (fault !== null) throw new PopupError(fault);
  if (popup.isOpened()) throw new PopupError("POPUP_BUSY");
  if (isBroken || !popup.open.isAvailable()) throw new PopupError("POPUP_UNSUPPORTED");
  // A touch that reaches the page shows that no popup lies over it.
  const touch = onPageTouch();
  try {
    const { title, message, buttons = [] } = question;
    const options = { title, message, buttons: buttons.map((button) => ({ ...button })) };
    const pressed = await popup.open({ ...options, timeout: TIMEOUT_MS, abortSignal: touch.signal });
    // A client may name a button that isn't there.
    return buttons.some(({ id }) => id === pressed) ? pressed : null;
  } catch (error) {
    if (isConcurrentCallError(error)) throw new PopupError("POPUP_BUSY");
    if (!touch.signal.aborted && !isTimeoutError(error)) throw new PopupError("POPUP_UNSUPPORTED");
    isBroken = true;
    throw new PopupError("POPUP_UNANSWERED");
  } finally {
    touch.stop();
  }
}
