import { useTranslation } from "react-i18next";
import { dismissInstall, installMethod, isIos, useInstall } from "../../../pwa/install.ts";
import { Button, Icon } from "../../../shared/ui/index.ts";
import "./install-card.css";

/** After a completed order: the app for this device's home screen, offered once. */
export function InstallCard() {
  const { t } = useTranslation("install");
  const { install, isDismissed } = useInstall();
  const way = installMethod({
    shell: document.documentElement.dataset["shell"],
    hasOffer: install !== null,
    isIos: isIos(navigator),
    hasCompletedOrder: true,
    isDismissed,
  });
  if (way === "none") return null;
  return (
    <section className="w-install w-order-card" aria-labelledby="install-title">
      <div className="w-install__words">
        <h2 id="install-title">{t("title")}</h2>
        <p>{t("text")}</p>
        {way === "instructions" ? (
          <ol className="w-install__steps">
            <li>
              <Icon name="share" size={20} />
              {t("share")}
            </li>
            <li>
              <Icon name="plus" size={20} />
              {t("add")}
            </li>
          </ol>
        ) : null}
      </div>
      <div className="w-install__actions">
        <Button variant="outline" onClick={dismissInstall}>
          {t(way === "instructions" ? "understood" : "later")}
        </Button>
        {install === null ? null : <Button onClick={() => void install()}>{t("install")}</Button>}
      </div>
    </section>
  );
}
