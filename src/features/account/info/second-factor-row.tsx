import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notify } from "../../../shared/page/notifications.ts";
import { Note } from "../../../shared/ui/index.ts";
import { beginSecondFactor, reloadAccount, removeSecondFactor } from "../api.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { Row } from "../../../shared/account/row.tsx";
import { RecoveryCodes, type SecondFactorKey, SecondFactorKeyDialog } from "./second-factor-dialogs.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";

/** The second factor: on with an authenticator app, and off again. */
export function SecondFactorRow({ isOn }: { readonly isOn: boolean }) {
  const { t } = useTranslation("account");
  const request = useRequest();
  const [key, setKey] = useState<SecondFactorKey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const begin = () =>
    request.run(async () => {
      setKey(await beginSecondFactor());
    });
  const end = async () => {
    setCodes(null);
    await request.run(reloadAccount);
  };
  const remove = async () => {
    if (!(await request.run(removeSecondFactor))) return;
    setLeaving(false);
    notify({ type: "success", message: t("secondFactor.removed") });
  };
  return (
    <>
      <Row
        title={t("secondFactor.title")}
        text={t(isOn ? "secondFactor.on" : "secondFactor.off")}
        action={t(isOn ? "secondFactor.remove" : "secondFactor.add")}
        onAction={() => (isOn ? setLeaving(true) : void begin())}
        busyLabel={request.isPending && !isLeaving ? t("secondFactor.busy") : null}
      />
      {request.failure !== null && !isLeaving ? <Note tone="danger" title={request.failure} /> : null}
      <SecondFactorKeyDialog
        given={key}
        onClose={() => setKey(null)}
        onConfirmed={(recovery) => {
          setKey(null);
          setCodes(recovery);
        }}
      />
      <RecoveryCodes codes={codes} onClose={() => void end()} />
      <ActionDialog
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={t("secondFactor.removeTitle")}
        submitLabel={t("secondFactor.remove")}
        busyLabel={t("secondFactor.busy")}
        isPending={request.isPending}
        failure={request.failure}
        isDangerous
        onSubmit={() => void remove()}
      >
        <p className="w-auth__text">{t("secondFactor.removeText")}</p>
      </ActionDialog>
    </>
  );
}
