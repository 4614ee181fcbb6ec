import { useTranslation } from "react-i18next";
import type { RateMode } from "#contract/rate.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { useRateLockMinutes } from "../../../shared/page/page-context.ts";
import { classNames, Icon, SegmentedControl } from "../../../shared/ui/index.ts";
import { selectRateMode } from "../store/state.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

/** Floating or fixed, and in one sentence what that means. */
export function RateModeChoice() {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const { rateMode, isFixedRefused } = useExchangeState();
  const isOffline = !useOnline();
  const rateLockMinutes = useRateLockMinutes();
  const caption = isFixedRefused ? "fixedRefused" : rateMode === "FIXED" ? "fixedCaption" : "floatingCaption";
  return (
    <div className="w-rate-mode">
      <SegmentedControl<RateMode>
        name="rate-mode"
        label={t("rateMode.label")}
        value={rateMode}
        options={[
          { value: "FLOATING", label: t("rateMode.floating"), disabled: isOffline },
          {
            value: "FIXED",
            label: t("rateMode.fixed"),
            icon: <Icon name="lock" size={16} />,
            disabled: isFixedRefused || isOffline,
          },
        ]}
        onValue={(mode) => selectRateMode(state, mode)}
      />
      <p
        className={classNames("w-rate-mode__caption", isFixedRefused && "w-rate-mode__caption--refused")}
        aria-live="polite"
      >
        {t(`rateMode.${caption}`, { count: rateLockMinutes })}
      </p>
    </div>
  );
}
