import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { stepIndex } from "#contract/order-progress.ts";
import { Button, Icon } from "../../../shared/ui/index.ts";
import { useShareOrder } from "../use-share.ts";
import { HomeScreenOffer } from "./home-screen-offer.tsx";
import "./receipt-actions.css";

/** What can be done with a receipt: its link handed on, or the page printed, which browsers also save as a PDF; after an exchange, the app kept at hand. */
export function ReceiptActions({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { said, share } = useShareOrder(order);
  return (
    <div className="w-order-receipt-actions">
      <Button variant="outline" icon={<Icon name="share" size={18} />} onClick={() => void share()}>
        {said || t("receipt.share")}
      </Button>
      <Button variant="outline" icon={<Icon name="download" size={18} />} onClick={() => print()}>
        {t("receipt.save")}
      </Button>
      {stepIndex(order.orderEvents) === 3 ? <HomeScreenOffer /> : null}
      <span className="w-visually-hidden" role="status">
        {said}
      </span>
    </div>
  );
}
