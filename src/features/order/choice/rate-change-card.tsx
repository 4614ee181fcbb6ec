import type { Order } from "#contract/order.ts";
import { formatRate } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import { rateChange } from "../model/rate-change.ts";
import { depositedTotal } from "../model/deposits.ts";
import "./rate-change-card.css";

/** The rate that was agreed, struck out, beside the one that is offered, and what that makes of the sum. */
export function RateChangeCard({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { offer, pair, claimedPublicRate } = order;
  const words = useWordsOf(order);
  if (offer === null) return null;
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
        <Icon name="arrow-right" size={20} />
        <div className="w-order-rates__now">
          <dt>{t("choice.rateNow")}</dt>
          <dd>{rate(offer.price)}</dd>
        </div>
      </dl>
      {words === null ? null : <p className="w-order-rates__change w-number">{words}</p>}
    </div>
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
