import { useId, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSnapshot } from "valtio";
import type { PairData } from "#contract/rate.ts";
import { formatRate, alignDecimals } from "../../../shared/format/format.ts";
import { formatAbout, formatTime, formatClock } from "../../../shared/format/format-time.ts";
import { useClock, useHydrated } from "../../../shared/page/use-hydrated.ts";
import { Button, classNames, Icon, Skeleton, VisuallyHidden } from "../../../shared/ui/index.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { useBlockerText, useFixes } from "./use-blocker-text.ts";
import { blockerAt, type Blocker } from "../model/blockers.ts";
import { quoteValidMs } from "../model/rate-failure.ts";
import { knownRate, rateStatus } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { CardRate } from "./lazy-card-rate.tsx";
import { useBlockers } from "./use-calculator.ts";
import { feeRows } from "../model/fee-rows.ts";
import { persisted } from "../../../shared/browser/storage.ts";
import "./rate-card.css";

/** The rate in one line and, opened, the sum that it is made of. */
export function RateCard() {
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const blockers = useBlockers();
  const atRate = blockerAt(blockers, "rate");
  const rate = knownRate(state);
  const isOnline = useOnline();
  const isCurrent = rateStatus(catalogue, state) === "ready";
  // Its sums are those of an amount that can't be exchanged, or that was cleared since; or without a network, where nothing replaces them.
  const isOtherAmount = blockerAt(blockers, "from") !== undefined || (!isCurrent && !isOnline);
  if (atRate?.kind === "rate-failed") return <RateFailed blocker={atRate} />;
  if (rate !== null && isOtherAmount) return <LastRate rate={rate} />;
  if (rate !== null)
    return (
      <KnownRate
        rate={rate}
        isCurrent={isCurrent}
        isLive={isOnline && state.rate.isLive}
        isHeld={isOnline && rate.validUntil != null}
      />
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
      {fixes.map(({ name, text, act }) => (
        <Button key={name} variant="soft" onClick={act}>
          {text}
        </Button>
      ))}
    </div>
  );
}

/** The last rate without its sums, and from when it is: nothing is at risk where nothing can be exchanged. */
function LastRate({ rate }: { readonly rate: PairData }) {
  return (
    <div className="w-rate-card">
      <p className="w-rate-card__header">
        <RateLine rate={rate} />
        <Freshness age="waiting" updatedAt={rate.updatedAt} />
      </p>
    </div>
  );
}

function RateLine({ rate }: { readonly rate: PairData }) {
  const { t } = useTranslation("exchange");
  const values = {
    from: rate.instrumentFrom.currencyTitle,
    to: rate.instrumentTo.currencyTitle,
    rate: formatRate(rate.price),
  };
  return (
    <span className="w-rate-card__rate w-number">
      {rate.card === null ? (
        t(rate.rateMode === "FIXED" ? "rate.exactly" : "rate.about", values)
      ) : (
        <CardRate part="line" rate={rate} terms={rate.card} />
      )}
    </span>
  );
}

type KnownRateProps = {
  readonly rate: PairData;
  /** False while the rate of another amount is on its way: these sums are those of the amount before. */
  readonly isCurrent: boolean;
  readonly isLive: boolean;
  /** A fixed quote, good until it ends whatever becomes of the connection. */
  readonly isHeld: boolean;
};

function KnownRate({ rate, isCurrent, isLive, isHeld }: KnownRateProps) {
  const { t } = useTranslation("exchange");
  const id = useId();
  const { openness, toggle } = useRateCardOpen();
  const isOpen = openness !== "closed";
  return (
    <div className={classNames("w-rate-card", openness === "auto" && "w-rate-card--auto")}>
      <button type="button" className="w-rate-card__header" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <RateLine rate={rate} />
        {isCurrent && isHeld ? (
          <QuoteClock key={rate.updatedAt} quoteValidMs={quoteValidMs(rate)} />
        ) : isCurrent ? (
          <Freshness age={isLive ? "live" : "stale"} updatedAt={rate.updatedAt} />
        ) : (
          <span className="w-rate-card__freshness w-rate-card__freshness--waiting">{t("rate.renewing")}</span>
        )}
        <span className="w-rate-card__chevron">
          <Icon name="chevron-down" size={18} />
        </span>
      </button>
      <div
        id={id}
        className={classNames("w-rate-card__rows", !isCurrent && "w-rate-card__rows--stale")}
        hidden={!isOpen}
      >
        {rate.card === null ? <RateRows rate={rate} /> : <CardRate part="rows" rate={rate} terms={rate.card} />}
      </div>
    </div>
  );
}

type FreshnessProps = { readonly age: "live" | "stale" | "waiting"; readonly updatedAt: string };

/** @internal */
export function Freshness({ age, updatedAt }: FreshnessProps) {
  const { t } = useTranslation("exchange");
  const clock = useClock();
  return (
    <span className={`w-rate-card__freshness w-rate-card__freshness--${age} w-rate-card__freshness--${clock}`}>
      {age === "live" ? t("rate.live") : t("rate.from", { time: formatTime(updatedAt, clock) })}
    </span>
  );
}

/** How long a fixed quote is still valid, counted from when it came; a new quote needs a key of its own. */
function QuoteClock({ quoteValidMs }: { readonly quoteValidMs: number }) {
  const { t } = useTranslation("exchange");
  const left = useSecondsLeft(quoteValidMs);
  return (
    <span className={classNames("w-rate-card__freshness", left === 0 && "w-rate-card__freshness--stale")}>
      <VisuallyHidden>{t("rate.renewsItself")}</VisuallyHidden>
      <span aria-hidden="true" className="w-number">
        {left === 0 ? t("rate.renewing") : t("rate.refreshesIn", { time: formatClock(left) })}
      </span>
    </span>
  );
}

function useSecondsLeft(quoteValidMs: number): number {
  const [left, setLeft] = useState(Math.ceil(quoteValidMs / 1_000));
  useEffect(() => {
    const end = Date.now() + quoteValidMs;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000))), 1_000);
    return () => clearInterval(timer);
  }, [quoteValidMs]);
  return left;
}

/** Market value − our fee − network fee: a column that adds up to what arrives. */
function RateRows({ rate }: { readonly rate: PairData }) {
  const { t } = useTranslation("exchange");
  const { t: common } = useTranslation("common");
  const rows = feeRows(rate);
  const [market = "", platformFee = "", networkFee = ""] = alignDecimals([
    rows.marketValue,
    `-${rows.platformFee}`,
    `-${rows.networkFee}`,
    rows.amountToGet,
  ]);
  const ticker = rate.instrumentTo.currencyTitle;
  return (
    <dl className="w-rate-rows w-number">
      <Row label={t("rate.market", { rate: formatRate(rows.marketRate) })} value={`${market}\u00a0${ticker}`} />
      <Row
        label={t("rate.platformFee", { percent: rows.platformFeePercent })}
        value={`${platformFee}\u00a0${ticker}`}
      />
      <Row label={t("rate.networkFee")} value={`${networkFee}\u00a0${ticker}`} />
      {rate.estimatedSeconds === null ? (
        <Row label={t("rate.arrives")} value={t("rate.confirmations", { count: rate.instrumentFrom.confirmations })} />
      ) : (
        <Row label={t("rate.arrivesIn")} value={formatAbout(common, rate.estimatedSeconds)} />
      )}
    </dl>
  );
}

const Row = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div className="w-rate-rows__row">
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

/** `auto` leaves it to the style sheet, which closes the card where it would not fit. */
type Openness = "auto" | "open" | "closed";

/** What the reader chose; null before they did. */
const choice = persisted<"open" | "closed" | null>(
  "rate-card",
  (saved) => (saved === "open" || saved === "closed" ? saved : null),
  (chosen) => chosen,
);

/** Whether the rate card is open; what the reader chose is applied after hydration. */
function useRateCardOpen(): { openness: Openness; toggle: () => void } {
  const { value: chosen } = useSnapshot(choice);
  const isHydrated = useHydrated();
  const openness = isHydrated ? (chosen ?? (hasRoom() ? "auto" : "closed")) : "auto";
  const toggle = () => {
    choice.value = openness === "closed" ? "open" : "closed";
  };
  return { openness, toggle };
}

const hasRoom = (): boolean => matchMedia("(width >= 22.5em) and (height >= 43.75em)").matches;
