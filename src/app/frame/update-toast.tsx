import { useState } from "react";
import { useT } from "../../lib/i18n/index.ts";
import { reloadIntoUpdate } from "../../platform/pwa/reload.ts";
import { useUpdate } from "../../platform/pwa/updates.ts";
import { Button } from "../../ui/index.ts";
import "./toast.css";

/** Offers a new build; it never reloads by itself, and waits (`isHeld`) while a screen of the swap is open. */
export function UpdateToast({ isHeld }: { readonly isHeld: boolean }) {
  const t = useT("common");
  const build = useUpdate();
  const [postponed, setPostponed] = useState<string | null>(null);
  const isShown = build !== null && build !== postponed && !isHeld;
  return (
    <div role="status">
      {isShown ? (
        <div className="w-toast">
          <div className="w-toast__text">
            <p className="w-toast__title">{t("update.title")}</p>
            <p className="w-toast__detail">{t("update.text")}</p>
          </div>
          <Button variant="plain" onClick={() => setPostponed(build)}>
            {t("update.later")}
          </Button>
          <Button size="m" onClick={() => void reloadIntoUpdate()}>
            {t("update.reload")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
