import { Button, Dialog } from "../../shared/ui/index.ts";
import type { Popup, PopupButton } from "../popup.ts";

type QuestionDialogProps = { readonly question: Popup; readonly onAnswer: (id: string | null) => void };

/** What a popup of Telegram would ask, in our own dialog. */
export const QuestionDialog = ({ question: { title = "", message, buttons = [] }, onAnswer }: QuestionDialogProps) => (
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

/** The others only close it, which a dialog of ours does by itself. */
const hasText = (button: PopupButton): button is Extract<PopupButton, { readonly text: string }> => "text" in button;
