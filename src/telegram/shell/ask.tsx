import type { Translator } from "../../shared/i18n/translator.ts";
import type { Popup } from "../sdk/popup-rules.ts";
import { PopupError } from "../sdk/popup-error.ts";
import type { Messenger } from "../sdk/port.ts";
import { overlay } from "./overlay.tsx";
import { QuestionDialog } from "./question-dialog.tsx";

/**
 * Asks in the messenger's own popup, or in our dialog where that can't be had, and gives the id of the button that was pressed; null for none. The
 * page must be alive.
 */
export async function ask(question: Popup, messenger: Pick<Messenger, "popUp">, words: Translator) {
  try {
    return await messenger.popUp(question);
  } catch (error) {
    if (!(error instanceof PopupError)) throw error;
    console.debug(error.message);
    return askOurselves(question, words);
  }
}

function askOurselves(question: Popup, words: Translator): Promise<string | null> {
  return new Promise((give) => {
    const close = overlay(
      words,
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
