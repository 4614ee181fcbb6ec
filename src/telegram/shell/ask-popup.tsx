import { addOverlay } from "../../shared/page/overlays.tsx";
import { Button, Dialog } from "../../shared/ui/index.ts";
import { type Popup, type PopupButton, PopupError } from "../popup.ts";
import type { TelegramClient } from "../telegram-client.ts";

/** Asks in Telegram's popup, or in a dialog where there is none; gives the id of the pressed button, null for none. */
export async function askPopup(question: Popup, client: Pick<TelegramClient, "popUp">) {
  try {
    return await client.popUp(question);
  } catch (error) {
    if (!(error instanceof PopupError)) throw error;
    console.debug(error.message);
    return askInDialog(question);
  }
}

function askInDialog(question: Popup): Promise<string | null> {
  return new Promise((resolve) => {
    const close = addOverlay(
      <PopupDialog
        question={question}
        onAnswer={(id) => {
          close();
          resolve(id);
        }}
      />,
    );
  });
}

type PopupDialogProps = { readonly question: Popup; readonly onAnswer: (id: string | null) => void };

const PopupDialog = ({ question: { title = "", message, buttons = [] }, onAnswer }: PopupDialogProps) => (
  <Dialog
    open
    onClose={() => onAnswer(null)}
    title={title}
    footer={buttons.filter(hasText).map((button) => (
      <Button
        key={button.id}
        stretched
        size="l"
        variant={button.type === "destructive" ? "danger" : "soft"}
        onClick={() => onAnswer(button.id)}
      >
        {button.text}
      </Button>
    ))}
  >
    <p>{message}</p>
  </Dialog>
);

/** The others only close it, which the dialog does by itself. */
const hasText = (button: PopupButton): button is Extract<PopupButton, { readonly text: string }> => "text" in button;
