import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon, LiveRegion, ProgressBar } from "../../../shared/ui/index.ts";
import { type AnnouncementMinutes, announcementBetween, type Countdown } from "../model/countdown.ts";
import "./rate-lock-card.css";

/** How long the fixed rate is still held; told to screen readers at 10, 5, 2 and 1 minute. */
export function RateLockCard({ countdown }: { readonly countdown: Countdown }) {
  const { t } = useTranslation("order");
  const isLow = countdown.tone === "signal";
  return (
    <div className="w-order-hold w-order-card">
      <p className="w-order-hold__line">
        <Icon name="lock" size={20} />
        <span className="w-order-hold__label" id="order-hold">
          {t("hold.label")}
        </span>
        <strong
          className={`w-order-hold__clock w-order-hold__clock--${countdown.tone} w-number`}
          role="timer"
          aria-labelledby="order-hold"
        >
          {countdown.clock}
        </strong>
      </p>
      <ProgressBar value={countdown.part} tone={countdown.tone} />
      {isLow ? <p className="w-order-hold__note">{t("hold.lowTime")}</p> : null}
      <RateLockAnnouncement remainingMs={countdown.remainingMs} />
    </div>
  );
}

function RateLockAnnouncement({ remainingMs }: { readonly remainingMs: number }) {
  const { t } = useTranslation("order");
  const before = useRef(remainingMs);
  const [told, setTold] = useState<AnnouncementMinutes | null>(null);
  useEffect(() => {
    const passed = announcementBetween(before.current, remainingMs);
    before.current = remainingMs;
    if (passed !== null) setTold(passed);
  }, [remainingMs]);
  return <LiveRegion text={told === null ? "" : t("hold.announce", { count: told })} />;
}
