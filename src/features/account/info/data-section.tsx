import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "../../../shared/http/call-error.ts";
import { Note, Section } from "../../../shared/ui/index.ts";
import { saveFile } from "../../../telegram/save-file.ts";
import { deleteAccount, exportAccount } from "../api.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { Row } from "../../../shared/account/row.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";

/** What we hold about the account, as a file; and the account's end. */
export function DataSection({ onDeleted }: { readonly onDeleted: () => Promise<void> }) {
  const { t } = useTranslation("account");
  const download = useRequest();
  const deletion = useRequest();
  const [isLeaving, setLeaving] = useState(false);
  const [refusal, setRefusal] = useState<"owed" | "outstanding" | null>(null);
  const save = () =>
    download.run(async () => {
      const text = JSON.stringify(await exportAccount(), null, 2);
      const file = new File([text], "wherry-account.json", { type: "application/json" });
      await saveFile({ file, title: t("export.title"), pageUrl: location.href });
    });
  const remove = () =>
    deletion.run(async () => {
      setRefusal(null);
      try {
        await deleteAccount();
      } catch (error) {
        if (!isRefused(error)) throw error;
        return setRefusal(error.data["outstanding"] === true ? "outstanding" : "owed");
      }
      await onDeleted();
    });
  return (
    <Section title={t("export.section")}>
      <Row
        title={t("export.title")}
        text={t("export.text")}
        failure={download.failure}
        action={t("export.submit")}
        onAction={() => void save()}
        busyLabel={download.isPending ? t("export.busy") : null}
      />
      <Row
        title={t("delete.title")}
        text={t("delete.text")}
        action={t("delete.open")}
        onAction={() => setLeaving(true)}
      />
      <ActionDialog
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={t("delete.title")}
        submitLabel={t("delete.submit")}
        busyLabel={t("delete.busy")}
        isPending={deletion.isPending}
        failure={deletion.failure}
        isDangerous
        onSubmit={() => void remove()}
      >
        {refusal === null ? null : <Note tone="danger" title={t(`delete.${refusal}`)} />}
        <p className="w-auth__text">{t("delete.warning")}</p>
      </ActionDialog>
    </Section>
  );
}

/** Money is still owed, or an order is open (contract §8). */
const isRefused = (error: unknown): error is CallError =>
  error instanceof CallError && error.code === "ERR_UNPROCESSABLE_ENTITY";
