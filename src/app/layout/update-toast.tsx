import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reloadIntoUpdate } from "../../pwa/reload.ts";
import type { Update } from "../../pwa/update-store.ts";
import { Button } from "../../shared/ui/index.ts";

type UpdateToastProps = { readonly update: Update; readonly isHeld: boolean };

/**
 * Offers a new build; it never reloads by itself, and waits (`isHeld`) while a screen of the swap is open, unless that screen
 * can't go on without the new build.
 */
export function UpdateToast({ update, isHeld }: UpdateToastProps) {
  const { t } = useTranslation("common");
  const [postponed, setPostponed] = useState<Update | null>(null);
  if (update === postponed || (isHeld && !update.isNeeded)) return null;
  return (
    <div className="w-toast">
      <div className="w-toast__text">
        <p className="w-toast__title">{t("update.title")}</p>
        <p className="w-toast__detail">{t("update.text")}</p>
      </div>
      <Button variant="plain" onClick={() => setPostponed(update)}>
        {t("update.later")}
      </Button>
      <Button size="m" onClick={() => void reloadIntoUpdate()}>
        {t("update.reload")}
      </Button>
    </div>
  );
}
