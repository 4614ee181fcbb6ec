import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddressGroups, Button, Dialog, Note } from "../../../shared/ui/index.ts";
import { sumText } from "../parts/sum.ts";
import type { Withdrawn } from "./use-withdrawal.ts";

type SuccessDialogProps = { readonly withdrawn: Withdrawn | null; readonly onClose: () => void };

/** spec §4: a withdrawal that was taken opens it. */
export function SuccessDialog({ withdrawn, onClose }: SuccessDialogProps) {
  const { t } = useTranslation("earnings");
  // Its content stays until it has closed.
  const [last, setLast] = useState(withdrawn);
  if (withdrawn !== null && withdrawn !== last) setLast(withdrawn);
  return (
    <Dialog open={withdrawn !== null} onClose={onClose} title={t("success.title")}>
      {last === null ? null : (
        <div className="w-withdraw__success">
          <Note tone="success" title={t("success.sum", { sum: sumText(last.body.amount, last.body.currencyTitle) })}>
            {t(last.status === "REVIEW" ? "success.review" : "success.pending")}
          </Note>
          <AddressGroups address={last.body.address} />
          <Button stretched onClick={onClose}>
            {t("success.done")}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
