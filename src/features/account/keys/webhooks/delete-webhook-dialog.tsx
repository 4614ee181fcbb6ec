import { useTranslation } from "react-i18next";
import type { Webhook } from "#contract/webhooks.ts";
import { notify, SHORT_TIMEOUT_MS } from "../../../../shared/page/notifications.ts";
import type { Popup } from "../../../../telegram/popup.ts";
import { usePopup } from "../../../../telegram/use-popup.ts";
import { ActionDialog } from "../../profile/action-dialog.tsx";
import { useRequest } from "../../profile/use-request.ts";
import { deleteWebhook } from "./webhook-calls.ts";

const DELETE = "delete";

type DeleteWebhookDialogProps = {
  /** Null while nothing is asked. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  readonly onDeleted: (id: string) => void;
};

/** Asks before a receiver is deleted with its log, inside Telegram in its own popup. */
export function DeleteWebhookDialog({ webhook, onClose, onDeleted }: DeleteWebhookDialogProps) {
  const { t } = useTranslation("webhooks");
  const { t: account } = useTranslation("account");
  const request = useRequest();
  const title = t("delete.title");
  const message = t("delete.text", { url: webhook?.url ?? "" });
  const submit = t("delete.submit");
  const remove = async () => {
    if (webhook === null) return;
    const isDone = await request.run(() => deleteWebhook(webhook.id));
    if (isDone === null) return onClose();
    const said = isDone ? t("deleted") : account("keys.main_error");
    notify({ type: isDone ? "success" : "error", message: said, timeoutMs: SHORT_TIMEOUT_MS });
    if (isDone) onDeleted(webhook.id);
    else onClose();
  };
  const question: Popup = {
    title,
    message,
    buttons: [
      { id: DELETE, type: "destructive", text: submit },
      { id: "cancel", type: "cancel" },
    ],
  };
  const asksOurselves = usePopup(webhook === null ? null : question, (id) =>
    id === DELETE ? void remove() : onClose(),
  );
  return (
    <ActionDialog
      open={webhook !== null && asksOurselves}
      onClose={onClose}
      title={title}
      submitLabel={submit}
      busyLabel={account("keys.delete.busy")}
      isPending={request.isPending}
      failure={null}
      isDangerous
      onSubmit={() => void remove()}
    >
      <p className="w-auth__text">{message}</p>
    </ActionDialog>
  );
}
