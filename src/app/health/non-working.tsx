import { useEffect, useState } from "react";
import { Link } from "wouter";
import { formatDateTime } from "../../shared/format/format-time.ts";
import { useTranslation } from "react-i18next";
import { useLocale } from "../../shared/i18n/index.ts";
import { useClock, useTimeZone } from "../../shared/page/use-hydrated.ts";
import { AnchoredBoatIllustration, BottomBar, Icon, Placeholder, PrimaryAction } from "../../shared/ui/index.ts";
import { ORDERS_PATH } from "../layout/navigation.ts";
import "../pages/message-page.css";
import "./non-working.css";
import type { ServiceHealth } from "./check.ts";
import { FIRST_CHECK_MS } from "./cycle.ts";

/** Replaces every page but order pages while the service is down: what is safe, and when the next check comes. */
export function NonWorking({ health, checkNow }: ServiceHealth) {
  const { t } = useTranslation("common");
  return (
    <Placeholder className="w-message-page w-down w-page">
      <AnchoredBoatIllustration />
      <h1 className="w-message-page__title">{t("down.title")}</h1>
      <p className="w-message-page__text">
        {health.status === "TECHNICAL_DIFFICULTIES" ? t("down.difficulties") : t("down.unhealthy")}
      </p>
      <ul className="w-down__list">
        <li className="w-down__row">
          <Icon name="refresh" />
          <CheckTimes health={health} />
        </li>
        <li>
          <Link className="w-down__row" href={ORDERS_PATH}>
            <Icon name="receipt" />
            <span className="w-down__words">
              <span>{t("down.order")}</span>
              <span className="w-down__caption">{t("down.orderHint")}</span>
            </span>
            <Icon name="chevron-right" size={18} />
          </Link>
        </li>
      </ul>
      <div className="w-message-page__actions">
        <BottomBar>
          <PrimaryAction onClick={checkNow}>{t("down.checkNow")}</PrimaryAction>
        </BottomBar>
      </div>
    </Placeholder>
  );
}

/** The seconds to the next check, and since when the service is down. */
function CheckTimes({ health: { since, checkedAt, nextAt } }: Pick<ServiceHealth, "health">) {
  const { t } = useTranslation("common");
  const locale = useLocale();
  const clock = useClock();
  const timeZone = useTimeZone();
  const seconds = useSecondsTo(nextAt);
  const timeOf = (at: number) => formatDateTime(new Date(at).toISOString(), locale, { timeZone, precision: "time" });
  const checked = checkedAt === null ? null : timeOf(checkedAt);
  return (
    <span className="w-down__words">
      <span role="timer">{seconds === null || seconds === 0 ? t("down.looking") : t("down.next", { seconds })}</span>
      {checked === null ? null : (
        <span className="w-down__caption" data-clock={clock}>
          {since === null ? t("down.lastCheck", { checked }) : t("down.times", { since: timeOf(since), checked })}
        </span>
      )}
    </span>
  );
}

/** Counts down the seconds to the next check; null on the server. */
function useSecondsTo(at: number | null): number | null {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const nextAt = at ?? Date.now() + FIRST_CHECK_MS;
    const count = () => setSeconds(Math.max(0, Math.ceil((nextAt - Date.now()) / 1_000)));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}
