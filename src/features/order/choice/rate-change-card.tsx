import type { Order } from "#contract/order.ts";
import { formatRate } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { Icon, LiveRegion } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import { CountdownAnnouncement } from "../deposit/countdown-announcement.tsx";
import type { OfferTime } from "../model/choice/offer.ts";
import { rateChange } from "../model/choice/rate-change.ts";
import { depositedTotal } from "../model/view/deposits.ts";
import "./rate-change-card.css";

type RateChangeCardProps = { readonly order: Order; readonly time: OfferTime | null };

/** The rate that was agreed, struck out, beside the one that is offered, what that makes of the sum, and for how long, while it is. */
export function RateChangeCard({ order, time }: RateChangeCardProps) {
  const { t } = useTranslation("order");
  const { offer, pair, claimedPublicRate } = order;
  const words = useWordsOf(order);
  if (offer === null) return null;
  // Its rate is of an older market by then.
  const hasEnded = time?.hasEnded === true;
  const rate = (price: string) => `${formatRate(price)}\u00A0${pair.instrumentTo.currencyTitle}`;
  return (
    <div className="w-order-rates w-order-card">
      <dl className="w-order-rates__pair w-number">
        <div>
          <dt>{t("choice.rateHad")}</dt>
          <dd>
            <del>{rate(claimedPublicRate.price)}</del>
          </dd>
        </div>
        {hasEnded ? null : (
          <div className="w-order-rates__now">
            <dt>{t("choice.rateNow")}</dt>
            <dd>{rate(offer.price)}</dd>
          </div>
        )}
      </dl>
      {words === null || hasEnded ? null : <p className="w-order-rates__change w-number">{words}</p>}
      {time === null ? null : <OfferClock time={time} />}
    </div>
  );
}

/** Silent for screen readers except at a few marks and at the end. */
function OfferClock({ time: { countdown, hasEnded } }: { readonly time: OfferTime }) {
  const { t } = useTranslation("order");
  return (
    <>
      {hasEnded ? null : (
        <p className="w-order-rates__time">
          <Icon name="clock" size={20} />
          <span className="w-order-rates__label" id="order-offer-time">
            {t("choice.offerLeft")}
          </span>
          <strong
            className={`w-order-rates__clock w-order-rates__clock--${countdown.tone} w-number`}
            role="timer"
            aria-labelledby="order-offer-time"
          >
            {countdown.clock}
          </strong>
        </p>
      )}
      <CountdownAnnouncement
        remainingMs={countdown.remainingMs}
        textOf={(count) => t("choice.offerAnnounce", { count })}
      />
      <LiveRegion text={hasEnded ? t("choice.offerEnded") : ""} />
    </>
  );
}

function useWordsOf(order: Order): string | null {
  const { t } = useTranslation("order");
  const change = rateChange(order);
  if (change === null) return null;
  const { direction, percent, difference } = change;
  const share = t(`choice.${direction}`, { percent });
  if (difference === null || difference === "0") return share;
  return t(direction === "lower" ? "choice.less" : "choice.more", {
    share,
    difference: coinText(difference, order.pair.instrumentTo),
    sum: coinText(depositedTotal(order), order.pair.instrumentFrom),
  });
}
