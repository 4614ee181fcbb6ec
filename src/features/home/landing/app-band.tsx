import { useTranslation } from "react-i18next";
import { useExternalLinks } from "../../../shared/page/page-context.ts";
import { useInstall } from "../../../pwa/install.ts";
import { Button, Icon } from "../../../shared/ui/index.ts";
import { PhonePicture } from "./three-steps.tsx";

/** Where else the exchange can be had: in Telegram where the operator has a mini-app, and on the home screen. */
export function AppBand() {
  const { t } = useTranslation("home");
  const { miniAppUrl } = useExternalLinks();
  const { install } = useInstall();
  const inTelegram = miniAppUrl !== null;
  return (
    <section className="w-app-band" aria-labelledby="app-title">
      <div>
        <h2 id="app-title">{t(inTelegram ? "app.telegramTitle" : "app.title")}</h2>
        <p>{t(inTelegram ? "app.telegramText" : "app.text")}</p>
        {install === null ? <p className="w-app-band__install">{t("app.byMenu")}</p> : null}
        <div className="w-app-band__actions">
          {inTelegram ? (
            <Button className="w-app-band__open" href={miniAppUrl} icon={<Icon name="telegram" />}>
              {t("app.open")}
            </Button>
          ) : null}
          {install === null ? null : (
            <Button className="w-app-band__install" variant="outline" size="l" onClick={() => void install()}>
              {t("app.install")}
            </Button>
          )}
        </div>
      </div>
      <PhonePicture />
    </section>
  );
}
