import { formatAge } from "../../../shared/format/format-time.ts";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { Button, Note } from "../../../shared/ui/index.ts";
import { useServerNow } from "../use-server-now.ts";

type StaleNoteProps = { readonly seenAt: string; readonly offset: number; readonly onRetry: () => Promise<void> };

/** Says how old the shown order is while the service can't be asked; nothing of it is hidden. */
export function StaleNote({ seenAt, offset, onRetry }: StaleNoteProps) {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const isOnline = useOnline();
  const now = useServerNow(offset, true);
  const age = formatAge(common, (now - Date.parse(seenAt)) / 1000);
  return (
    <Note
      tone="info"
      title={t(isOnline ? "stale.failed" : "stale.offline")}
      action={
        isOnline ? (
          <Button variant="soft" onClick={() => void onRetry()}>
            {t("stale.retry")}
          </Button>
        ) : undefined
      }
    >
      {t(isOnline ? "stale.failedText" : "stale.offlineText", { age })}
    </Note>
  );
}
