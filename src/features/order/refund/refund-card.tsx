import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { Skeleton } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import { isTooSmall } from "../model/choice/refund-form.ts";
import { Row, ShortHash } from "../page/details.tsx";
import { explorerLink } from "../../../address/explorer-link.ts";
import { isUnconfirmed } from "../model/view/deposits.ts";
import { isPaymentHeld } from "../model/view/review.ts";
import type { OrderView } from "../model/view/order-view.ts";
import { useRefundInfo } from "../page/use-order.ts";
import { ConfirmationCard } from "../page/confirmation-card.tsx";

export type RefundCardProps = { readonly order: Order; readonly view: OrderView };

/** A refund under way: how far the deposit is confirmed, what goes back and where to. */
export function RefundCard({ order, view }: RefundCardProps) {
  const words = useRefundWords(order, view);
  return (
    <ConfirmationCard confirmations={view.confirmations} {...words}>
      <RefundRows order={order} />
    </ConfirmationCard>
  );
}

function useRefundWords(order: Order, view: OrderView): { title: string; text: string } {
  const { t } = useTranslation("order");
  const { count, required } = view.confirmations;
  const isSent = view.timeline.some((row) => row.kind === "refund_sent" && row.state === "done");
  if (isSent) return { title: t("refund.sent"), text: t("refund.sentText") };
  if (order.review?.needed === "TOP_UP") return { title: t("ring.held"), text: t("ring.topUp") };
  if (isPaymentHeld(order)) return { title: t("ring.held"), text: t("ring.close") };
  if (count >= required) return { title: t("refund.sending"), text: t("refund.sendingText") };
  if (isUnconfirmed(order)) return { title: t("ring.unconfirmed"), text: t("refund.waitingText") };
  return {
    title: t("ring.waiting", { network: order.pair.instrumentFrom.networkFriendlyTitle }),
    text: t("refund.waitingText"),
  };
}

function RefundRows({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { info } = useRefundInfo(order, true);
  const { instrumentFrom } = order.pair;
  return (
    <dl className="w-order-rows w-number">
      {info === "failed" || (typeof info === "object" && isTooSmall(info)) ? null : (
        <Row
          label={t("choice.refund")}
          detail={
            info === "loading"
              ? undefined
              : t("choice.refundFee", { amount: coinText(info.networkFee, instrumentFrom) })
          }
        >
          {info === "loading" ? (
            <Skeleton width={96} height={20} />
          ) : (
            coinText(info.refundAmountWithoutNetworkFee, instrumentFrom)
          )}
        </Row>
      )}
      {order.refundAddress === null ? null : (
        <Row label={t("refund.to")}>
          <ShortHash
            value={order.refundAddress}
            link={explorerLink(instrumentFrom.explorerAddress, order.refundAddress)}
          />
        </Row>
      )}
    </dl>
  );
}
