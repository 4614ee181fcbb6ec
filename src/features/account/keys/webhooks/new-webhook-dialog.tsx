import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WebhookWithSecret } from "#contract/webhooks.ts";
import { CallError } from "../../../../shared/http/call-error.ts";
import { TextField } from "../../../../shared/ui/index.ts";
import { ActionDialog } from "../../../../shared/account/action-dialog.tsx";
import { useRequest } from "../../../../shared/account/use-request.ts";
import { createWebhook } from "./api.ts";

type NewWebhookDialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onMade: (webhook: WebhookWithSecret) => void;
};

const MAX_URL = 2048;

/** Asks for the address of a receiver. Whether it may be one, the service says. */
export function NewWebhookDialog({ open, onClose, onMade }: NewWebhookDialogProps) {
  const { t } = useTranslation("webhooks");
  const request = useRequest();
  const [url, setUrl] = useState("");
  const [isWrong, setWrong] = useState(false);
  const type = (value: string) => {
    setWrong(false);
    request.forget();
    setUrl(value);
  };
  const submit = async () => {
    if (!URL.canParse(url.trim())) return setWrong(true);
    await request.run(async () => {
      try {
        onMade(await createWebhook(url.trim()));
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== "ERR_VALIDATION") throw error;
        setWrong(true);
      }
    });
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t("new.title")}
      submitLabel={t("new.submit")}
      busyLabel={t("new.busy")}
      isPending={request.isPending}
      failure={request.failure ?? request.fieldError}
      onSubmit={() => void submit()}
    >
      <TextField
        id="webhook-url"
        name="webhook-url"
        mono
        label={t("new.url")}
        hint={t("new.hint")}
        placeholder="https://"
        maxLength={MAX_URL}
        value={url}
        onValue={type}
        error={isWrong ? t("new.wrong") : null}
      />
    </ActionDialog>
  );
}
