import type { ReactNode } from "react";
import { formatTime } from "../../shared/format/format-time.ts";
import { useTranslation } from "react-i18next";
import { useRatesAt } from "../../shared/format/rates-age.ts";
import { useClock } from "../../shared/page/use-hydrated.ts";
import { useOnline } from "../../shared/browser/connectivity.ts";
import { Icon, type IconName } from "../../shared/ui/index.ts";
import { StillPage } from "./still-page.tsx";
import "./offline-band.css";

/** Under the header while the device is offline; names the age of the rates if the page has any. */
export function OfflineBand() {
  const { t } = useTranslation("common");
  const clock = useClock();
  const ratesAt = useRatesAt();
  const isOnline = useOnline();
  return (
    <StillPage isShown={!isOnline}>
      {isOnline ? null : (
        <Band icon="offline" title={t("offline.title")}>
          {ratesAt === null ? t("offline.noRates") : t("offline.rates", { time: formatTime(ratesAt, clock) })}
        </Band>
      )}
    </StillPage>
  );
}

/** On the order pages, which stay usable, while the service takes no new orders. */
export function ServiceDownBand({ isDown }: { readonly isDown: boolean }) {
  const { t } = useTranslation("common");
  return (
    <StillPage isShown={isDown}>
      {isDown ? (
        <Band icon="warning" title={t("down.band")}>
          {t("down.bandText")}
        </Band>
      ) : null}
    </StillPage>
  );
}

type BandProps = { readonly icon: IconName; readonly title: string; readonly children: ReactNode };

const Band = ({ icon, title, children }: BandProps) => (
  <div className="w-offline">
    <div className="w-offline__row w-page">
      <Icon name={icon} />
      <div>
        <p className="w-offline__title">{title}</p>
        <p>{children}</p>
      </div>
    </div>
  </div>
);
