import { formatDateTime } from "../../lib/format-time.ts";
import { useLocale, useT } from "../../lib/i18n/index.ts";
import { useRatesAt } from "../../lib/rates-age.ts";
import { useTimeZone } from "../../lib/use-hydrated.ts";
import { useOnline } from "../../platform/connectivity.ts";
import { Icon } from "../../ui/index.ts";
import "./offline-band.css";

/** Under the header while the device has no network; says how old the rates are when the page has seen any. */
export function OfflineBand() {
  const t = useT("common");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const ratesAt = useRatesAt();
  const isOnline = useOnline();
  return (
    <div role="status">
      {isOnline ? null : (
        <div className="w-offline">
          <div className="w-offline__row w-page">
            <Icon name="offline" />
            <div>
              <p className="w-offline__title">{t("offline.title")}</p>
              <p>
                {ratesAt === null
                  ? t("offline.noRates")
                  : t("offline.rates", { time: formatDateTime(ratesAt, locale, { timeZone, precision: "time" }) })}
              </p>
            </div>
          </div>
        </div>
      )}
    </div>
  );
}
