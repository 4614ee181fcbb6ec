import { useEffect, useState } from "react";
import { Link } from "wouter";
import { formatDateTime } from "../../shared/format/format-time.ts";
import { useLocale, useT } from "../../shared/i18n/index.ts";
import { useTimeZone } from "../../shared/page/use-hydrated.ts";
import { AnchoredBoat, BottomBar, Button, Icon } from "../../shared/ui/index.ts";
import { ORDERS_PATH } from "../layout/sections.ts";
import "../pages/message-page.css";
import "./non-working.css";
import type { ServiceHealth } from "./use-health.ts";

/** In place of every page but orders' own while the service is down: what is safe, and when it looks again. */
export function NonWorking({ watched, lookNow }: ServiceHealth) {
  const t = useT("common");
  return (
    <div className="w-message-page w-down w-page">
      <AnchoredBoat />
      <h1 className="w-message-page__title">{t("down.title")}</h1>
      <p className="w-message-page__text">
        {watched.shown === "TECHNICAL_DIFFICULTIES" ? t("down.difficulties") : t("down.unhealthy")}
      </p>
      <ul className="w-down__list">
        <li className="w-down__row">
          <Icon name="refresh" />
          <Looks watched={watched} />
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
          <Button onClick={lookNow}>{t("down.look")}</Button>
        </BottomBar>
      </div>
    </div>
  );
}

/** The seconds to the next look, and what is known of the trouble's times. */
function Looks({ watched: { since, lookedAt, nextAt } }: Pick<ServiceHealth, "watched">) {
  const t = useT("common");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const seconds = useSecondsTo(nextAt);
  const timeOf = (at: number) => formatDateTime(new Date(at).toISOString(), locale, { timeZone, precision: "time" });
  const looked = lookedAt === null ? null : timeOf(lookedAt);
  return (
    <span className="w-down__words">
      <span role="timer">{seconds === null || seconds === 0 ? t("down.looking") : t("down.next", { seconds })}</span>
      {looked === null ? null : (
        <span className="w-down__caption">
          {since === null ? t("down.lastLook", { looked }) : t("down.times", { since: timeOf(since), looked })}
        </span>
      )}
    </span>
  );
}

/** Whole seconds until a moment, counted down; null while there is none. */
function useSecondsTo(at: number | null): number | null {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    if (at === null) return undefined;
    const count = () => setSeconds(Math.max(0, Math.ceil((at - Date.now()) / 1_000)));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return at === null ? null : seconds;
}
