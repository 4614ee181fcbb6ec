import { useTranslation } from "react-i18next";
import { Icon, ProgressBar } from "../../../shared/ui/index.ts";
import { CountdownAnnouncement } from "./countdown-announcement.tsx";
import type { Countdown } from "../model/view/countdown.ts";
import "./rate-lock-card.css";

/** What is left of the rate lock; announced to screen readers at 10, 5, 2 and 1 minute. */
export function RateLockCard({ countdown }: { readonly countdown: Countdown }) {
  const { t } = useTranslation("order");
  const isLow = countdown.tone === "signal";
  return (
    <div className="w-order-rate-lock w-order-card">
      <p className="w-order-rate-lock__line">
        <Icon name="lock" size={20} />
        <span className="w-order-rate-lock__label" id="order-rate-lock">
          {t("rateLock.label")}
        </span>
        <strong
          className={`w-order-rate-lock__clock w-order-rate-lock__clock--${countdown.tone} w-number`}
          role="timer"
          aria-labelledby="order-rate-lock"
        >
          {countdown.clock}
        </strong>
      </p>
      <ProgressBar value={countdown.part} tone={countdown.tone} />
      {isLow ? <p className="w-order-rate-lock__note">{t("rateLock.lowTime")}</p> : null}
      <CountdownAnnouncement
        remainingMs={countdown.remainingMs}
        textOf={(count) => t("rateLock.announce", { count })}
      />
    </div>
  );
}
