import { useTranslation } from "react-i18next";
import type { ApiKey } from "#contract/api-keys.ts";
import { notify, SHORT_TIMEOUT_MS } from "../../../shared/page/notifications.ts";
import type { Popup } from "../../../telegram/popup.ts";
import { usePopup } from "../../../telegram/use-popup.ts";
import { ActionDialog } from "../profile/action-dialog.tsx";
import { useRequest } from "../profile/use-request.ts";
import { deleteKey } from "./key-calls.ts";

const DELETE = "delete";

type DeleteKeyDialogProps = {
  /** Null while nothing is asked. */
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
  readonly onDeleted: (apiId: string) => void;
  readonly reload: () => Promise<void>;
};

/** Asks before a key is deleted, inside Telegram in its own popup, and says how that went (spec §8). */
export function DeleteKeyDialog({ apiKey, onClose, onDeleted, reload }: DeleteKeyDialogProps) {
  const { t } = useTranslation("account");
  const request = useRequest();
  const title = t("keys.delete.title");
  const message = t("keys.delete.text", { name: apiKey?.name ?? "" });
  const submit = t("keys.delete.submit");
  const remove = async () => {
    if (apiKey === null) return;
    const isDone = await request.run(() => deleteKey(apiKey.apiId));
    if (isDone === null) return onClose();
    const said = isDone ? ({ type: "success", key: "key_page_delete_key_success" } as const) : FAILED;
    notify({ type: said.type, message: t(`keys.${said.key}`), timeoutMs: SHORT_TIMEOUT_MS });
    if (isDone) onDeleted(apiKey.apiId);
    else onClose();
    // Reloaded in either case: a key that is gone already fails too.
    await reload();
  };
  const question: Popup = {
    title,
    message,
    buttons: [
      { id: DELETE, type: "destructive", text: submit },
      { id: "cancel", type: "cancel" },
    ],
  };
  const asksOurselves = usePopup(apiKey === null ? null : question, (id) =>
    id === DELETE ? void remove() : onClose(),
  );
  return (
    <ActionDialog
      open={apiKey !== null && asksOurselves}
      onClose={onClose}
      title={title}
      submitLabel={submit}
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

const FAILED = { type: "error", key: "main_error" } as const;
