import type { I18n } from "../../shared/i18n/create-i18n.ts";
import type { Popup } from "../popup.ts";
import { PopupError } from "../popup-error.ts";
import type { TelegramClient } from "../telegram-client.ts";
import { overlay } from "./overlay.tsx";
import { QuestionDialog } from "./question-dialog.tsx";

/**
 * Asks in Telegram's own popup, or in our dialog where that can't be had, and gives the id of the button that was pressed; null for none. The
 * page must be alive.
 */
export async function ask(question: Popup, telegram: Pick<TelegramClient, "popUp">, i18n: I18n) {
  try {
    return await telegram.popUp(question);
  } catch (error) {
    if (!(error instanceof PopupError)) throw error;
    console.debug(error.message);
    return askOurselves(question, i18n);
  }
}

function askOurselves(question: Popup, i18n: I18n): Promise<string | null> {
  return new Promise((give) => {
    const close = overlay(
      i18n,
      <QuestionDialog
        question={question}
        onAnswer={(id) => {
          close();
          give(id);
        }}
      />,
    );
  });
}
