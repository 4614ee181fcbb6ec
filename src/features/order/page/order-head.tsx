import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { orderPath } from "#contract/links/order-path.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { CopyButton, Icon, VisuallyHidden } from "../../../shared/ui/index.ts";
import { pairTexts } from "../model/amount-text.ts";
import type { Screen } from "../model/view/screen.ts";
import { Moment } from "./details.tsx";

type OrderHeadProps = { readonly order: Order; readonly screen: Screen };

/** What the order is called, what it exchanges, and its link to keep. */
export function OrderHead({ order, screen }: OrderHeadProps) {
  const { t } = useTranslation("order");
  const link = useOrderLink(order);
  return (
    <header className="w-order__head">
      <div className="w-order__names">
        <p className="w-order__reference">
          {t("head.order")} <strong className="w-mono">{order.reference}</strong>
          <span className="w-order__created">
            {", "}
            {t("head.created", { time: "" })}
            <Moment iso={order.createdAt} />
          </span>
        </p>
        <OrderPair order={order} screen={screen} />
      </div>
      <CopyButton
        variant="plain"
        value={link}
        label={t("head.copyLink")}
        copiedLabel={t("head.copied")}
        failedLabel={t("head.notCopied")}
      />
    </header>
  );
}

function OrderPair({ order, screen }: OrderHeadProps) {
  const { sent, paid } = pairTexts(order, screen);
  return (
    <h1 className="w-order__pair w-number">
      {sent} <Icon name="arrow-right" />
      <VisuallyHidden>→</VisuallyHidden> {paid}
    </h1>
  );
}

/** The whole address of this order's page; the origin is known in the browser alone. */
export function useOrderLink({ orderId, destinationAddress }: Order): string {
  const isHydrated = useHydrated();
  const path = orderPath(orderId, destinationAddress, useLocale());
  return isHydrated ? location.origin + path : path;
}
