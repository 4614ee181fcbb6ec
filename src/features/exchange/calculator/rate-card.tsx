import { useId } from "react";
import type { PairData } from "#contract/rate.ts";
import { formatRate } from "../../../shared/format/format.ts";
import { formatTime } from "../../../shared/format/format-time.ts";
import { useTranslation } from "react-i18next";
import { useClock } from "../../../shared/page/use-hydrated.ts";
import { Button, classNames, Icon, Skeleton } from "../../../shared/ui/index.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { useBlockerText } from "../blocker-text.ts";
import { blockerAt, type Blocker } from "../model/blockers.ts";
import { rateLockMs } from "../model/rate-failure.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState } from "../store/provider.tsx";
import { QuoteClock } from "./quote-clock.tsx";
import { RateRows } from "./rate-rows.tsx";
import { useRateCardOpen } from "./use-rate-card-open.ts";
import { useFixes } from "./use-fixes.ts";
import { useBlockers } from "./use-sides.ts";
import "./rate-card.css";

/** The rate in one line and, opened, the sum that it is made of. */
export function RateCard() {
  const state = useExchangeState();
  const atRate = blockerAt(useBlockers(), "rate");
  const rate = knownRate(state);
  const isOnline = useOnline();
  if (atRate?.kind === "rate-failed") return <RateFailed blocker={atRate} />;
  if (rate !== null)
    return (
      <KnownRate rate={rate} isLive={isOnline && state.rate.isLive} isHeld={isOnline && rate.validUntil != null} />
    );
  if (atRate === undefined) return null;
  return (
    <div className="w-rate-card w-rate-card--bare">
      <Skeleton width="60%" height={20} />
    </div>
  );
}

function RateFailed({ blocker }: { readonly blocker: Blocker }) {
  const text = useBlockerText()(blocker);
  const fixes = useFixes(blocker);
  return (
    <div className="w-rate-card w-rate-card--bare">
      <p className="w-rate-card__failed" role="status">
        <Icon name="error" />
        <span>{text}</span>
      </p>
      {fixes.map(({ name, words, act }) => (
        <Button key={name} variant="soft" onClick={act}>
          {words}
        </Button>
      ))}
    </div>
  );
}

type KnownRateProps = {
  readonly rate: PairData;
  readonly isLive: boolean;
  /** A fixed quote, good until it ends whatever becomes of the connection. */
  readonly isHeld: boolean;
};

function KnownRate({ rate, isLive, isHeld }: KnownRateProps) {
  const { t } = useTranslation("exchange");
  const id = useId();
  const { openness, toggle } = useRateCardOpen();
  const isOpen = openness !== "closed";
  const words = {
    from: rate.instrumentFrom.currencyTitle,
    to: rate.instrumentTo.currencyTitle,
    rate: formatRate(rate.price),
  };
  return (
    <div className={classNames("w-rate-card", openness === "auto" && "w-rate-card--auto")}>
      <button type="button" className="w-rate-card__header" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <span className="w-rate-card__rate w-number">
          {t(rate.rateMode === "FIXED" ? "rate.exactly" : "rate.about", words)}
        </span>
        {isHeld ? (
          <QuoteClock key={rate.updatedAt} rateLockMs={rateLockMs(rate)} />
        ) : (
          <Freshness isLive={isLive} updatedAt={rate.updatedAt} />
        )}
        <span className="w-rate-card__chevron">
          <Icon name="chevron-down" size={18} />
        </span>
      </button>
      <div id={id} className="w-rate-card__rows" hidden={!isOpen}>
        <RateRows rate={rate} />
      </div>
    </div>
  );
}

function Freshness({ isLive, updatedAt }: { readonly isLive: boolean; readonly updatedAt: string }) {
  const { t } = useTranslation("exchange");
  const time = formatTime(updatedAt, useClock());
  return (
    <span className={classNames("w-rate-card__freshness", !isLive && "w-rate-card__freshness--stale")}>
      {isLive ? t("rate.live") : t("rate.from", { time })}
    </span>
  );
}
