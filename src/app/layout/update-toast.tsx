import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reloadIntoUpdate } from "../../pwa/reload.ts";
import type { Update } from "../../pwa/update-store.ts";
import { Button, Snackbar } from "../../shared/ui/index.ts";

type UpdateToastProps = { readonly update: Update; readonly isReloadBlocked: boolean };

/**
 * Offers a new build and never reloads by itself. It stays hidden while a step of the exchange is open (`isReloadBlocked`),
 * unless that step can't continue without the new build.
 */
export function UpdateToast({ update, isReloadBlocked }: UpdateToastProps) {
  const { t } = useTranslation("common");
  const [postponed, setPostponed] = useState<string | null>(null);
  // Not the object itself: valtio renders again only for what was read of it.
  const offer = `${update.build} ${update.isNeeded}`;
  if (offer === postponed || (isReloadBlocked && !update.isNeeded)) return null;
  return (
    <Snackbar
      title={t("update.title")}
      detail={t("update.text")}
      after={
        <>
          <Button variant="plain" onClick={() => setPostponed(offer)}>
            {t("update.later")}
          </Button>
          <Button size="m" onClick={() => void reloadIntoUpdate()}>
            {t("update.reload")}
          </Button>
        </>
      }
    />
  );
}
