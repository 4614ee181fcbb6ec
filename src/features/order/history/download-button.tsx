import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { notify, SHORT_TIMEOUT_MS } from "../../../shared/page/notifications.ts";
import { Button, Icon } from "../../../shared/ui/index.ts";
import { saveFile } from "../../../telegram/save-file.ts";
import { historyCsv } from "./api.ts";
import type { HistoryQuery } from "./history-query.ts";

/** The list as it is narrowed, all of its pages, as a file for tax tools (contract §8). */
export function DownloadButton({ query }: { readonly query: HistoryQuery }) {
  const { t } = useTranslation("order");
  const [isBusy, setBusy] = useState(false);
  const isOnline = useOnline();
  const save = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const file = new File([await historyCsv(query)], "wherry-orders.csv", { type: "text/csv" });
      await saveFile({ file, title: t("history.title"), pageUrl: location.href });
    } catch (error) {
      console.warn("the orders can't be saved as CSV", error);
      notify({ type: "error", message: t("history.csvFailed"), timeoutMs: SHORT_TIMEOUT_MS });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="w-history__download">
      <Button
        variant="outline"
        icon={<Icon name="download" size={18} />}
        disabled={!isOnline}
        busyLabel={isBusy ? t("history.csvBusy") : null}
        onClick={() => void save()}
      >
        {t("history.csv")}
      </Button>
    </div>
  );
}
