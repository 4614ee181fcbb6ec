import { useTranslation } from "react-i18next";
import { notify, SHORT_TIMEOUT_MS } from "../../../shared/page/notifications.ts";
import type { Popup } from "../../../telegram/popup.ts";
import { usePopup } from "../../../telegram/use-popup.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";

const DELETE = "delete";

type DeleteDialogProps = {
  /** Null while nothing is asked. */
  readonly onDelete: (() => Promise<unknown>) | null;
  readonly title: string;
  readonly message: string;
  readonly submitLabel: string;
  /** Said when it is done. */
  readonly doneMessage: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
  /** After an attempt, however it went. */
  readonly onTried?: () => Promise<void>;
};

/** Asks before something is deleted, inside Telegram in its own popup, and says how that went (spec §8). */
export function DeleteDialog(props: DeleteDialogProps) {
  const { onDelete, title, message, submitLabel, onClose } = props;
  const { t } = useTranslation("account");
  const request = useRequest();
  const remove = async () => {
    if (onDelete === null) return;
    const isDone = await request.run(onDelete);
    if (isDone === null) return onClose();
    const said = isDone ? props.doneMessage : t("keys.main_error");
    notify({ type: isDone ? "success" : "error", message: said, timeoutMs: SHORT_TIMEOUT_MS });
    if (isDone) props.onDeleted();
    else onClose();
    await props.onTried?.();
  };
  const question: Popup = {
    title,
    message,
    buttons: [
      { id: DELETE, type: "destructive", text: submitLabel },
      { id: "cancel", type: "cancel" },
    ],
  };
  const asksOurselves = usePopup(onDelete === null ? null : question, (id) =>
    id === DELETE ? void remove() : onClose(),
  );
  return (
    <ActionDialog
      open={onDelete !== null && asksOurselves}
      onClose={onClose}
      title={title}
      submitLabel={submitLabel}
      busyLabel={t("keys.delete.busy")}
      isPending={request.isPending}
      failure={null}
      isDangerous
      onSubmit={() => void remove()}
    >
      <p className="w-auth__text">{message}</p>
    </ActionDialog>
  );
}
