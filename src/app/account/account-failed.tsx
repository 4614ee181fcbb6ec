import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchAccount } from "../../shared/account/account-store.ts";
import { browserApi } from "../../shared/http/http.ts";
import { useAutomaticRetry } from "../../shared/page/use-automatic-retry.ts";
import { Button, Note } from "../../shared/ui/index.ts";

/** In place of a page of the profile: who is signed in can't be loaded. That is no reason to sign in anew. */
export function AccountFailed() {
  const { t } = useTranslation("account");
  const [isPending, setPending] = useState(false);
  const retry = async () => {
    setPending(true);
    try {
      await fetchAccount(browserApi);
    } catch (error) {
      console.debug("account data can't be fetched now", error);
    } finally {
      setPending(false);
    }
  };
  useAutomaticRetry(!isPending, () => void retry());
  return (
    <Note
      tone="danger"
      title={t("seen.failed")}
      action={
        <Button variant="soft" onClick={() => void retry()} busyLabel={isPending ? t("seen.loading") : null}>
          {t("seen.retry")}
        </Button>
      }
    >
      {t("seen.safe")}
    </Note>
  );
}
