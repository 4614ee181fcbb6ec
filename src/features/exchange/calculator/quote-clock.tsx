import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatClock } from "../../../shared/format/format-time.ts";
import { classNames, VisuallyHidden } from "../../../shared/ui/index.ts";

/** How long a fixed quote still holds, counted from when it came; a new quote needs a key of its own. */
export function QuoteClock({ rateLockMs }: { readonly rateLockMs: number }) {
  const { t } = useTranslation("exchange");
  const left = useSecondsLeft(rateLockMs);
  return (
    <span className={classNames("w-rate-card__freshness", left === 0 && "w-rate-card__freshness--stale")}>
      <VisuallyHidden>{t("rate.renewsItself")}</VisuallyHidden>
      <span aria-hidden="true" className="w-number">
        {left === 0 ? t("rate.renewing") : t("rate.holds", { time: formatClock(left) })}
      </span>
    </span>
  );
}

function useSecondsLeft(rateLockMs: number): number {
  const [left, setLeft] = useState(Math.ceil(rateLockMs / 1_000));
  useEffect(() => {
    const end = Date.now() + rateLockMs;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000))), 1_000);
    return () => clearInterval(timer);
  }, [rateLockMs]);
  return left;
}
