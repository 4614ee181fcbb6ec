import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ApiKey, type GeneratedApiKey, MAX_IP_LIST, MAX_KEY_NAME } from "#contract/accounts/api-keys.ts";
import { isIpList } from "#contract/accounts/ip-list.ts";
import { TextField } from "../../../shared/ui/index.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";
import { generateKey, updateKey } from "./api.ts";

type KeyDialogProps = {
  readonly open: boolean;
  /** The key that is edited. */
  readonly form: ApiKey | "new";
  readonly onClose: () => void;
  /** With the new key and its secret, or null for one that was edited. */
  readonly onDone: (made: GeneratedApiKey | null) => void;
};

const NEW = { name: "", whiteListIp: "" };

/** A key's name and the addresses that may use it. */
export function KeyDialog({ open, form, onClose, onDone }: KeyDialogProps) {
  const { t } = useTranslation("account");
  const request = useRequest();
  const edited = form === "new" ? null : form;
  const [{ name, whiteListIp }, setTyped] = useState(edited ?? NEW);
  const [isChecked, setChecked] = useState(false);
  const isNameWrong = name.trim() === "";
  const isListWrong = !isIpList(whiteListIp);
  const type = (change: Partial<typeof NEW>) => {
    setChecked(false);
    request.forget();
    setTyped({ name, whiteListIp, ...change });
  };
  const submit = async () => {
    setChecked(true);
    if (isNameWrong || isListWrong) return;
    const given = { name: name.trim(), whiteListIp: whiteListIp.trim() };
    let made: GeneratedApiKey | null = null;
    const isDone = await request.run(async () => {
      if (edited === null) made = await generateKey(given);
      else await updateKey({ ...given, apiId: edited.apiId, isActive: edited.isActive });
    });
    if (isDone) onDone(made);
  };
  const kind = edited === null ? "add" : "edit";
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t(`keys.${kind}.title`)}
      submitLabel={t(`keys.${kind}.submit`)}
      busyLabel={t(`keys.${kind}.busy`)}
      isPending={request.isPending}
      failure={request.failure ?? request.fieldError}
      onSubmit={() => void submit()}
    >
      <TextField
        id="key-name"
        name="key-name"
        label={t("keys.name")}
        hint={t("keys.nameHint")}
        maxLength={MAX_KEY_NAME}
        value={name}
        onValue={(value) => type({ name: value })}
        error={isChecked && isNameWrong ? t("keys.nameMissing") : null}
      />
      <TextField
        id="key-ips"
        name="key-ips"
        mono
        label={t("keys.ips")}
        hint={t("keys.ipsHint")}
        maxLength={MAX_IP_LIST}
        value={whiteListIp}
        onValue={(value) => type({ whiteListIp: value })}
        error={isChecked && isListWrong ? t("keys.ipsWrong") : null}
      />
    </ActionDialog>
  );
}
