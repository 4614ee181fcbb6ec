import { Link } from "wouter";
import { useTranslation } from "react-i18next";
import { isOrderOver } from "#contract/order-progress.ts";
import { orderPath } from "#contract/links/order-path.ts";
import { useSavedOrders } from "../../features/order/store.ts";
import { Icon } from "../../shared/ui/index.ts";
import "./saved-order-link.css";

/** The newest unfinished order, whose deposit details this device has saved. */
export function SavedOrderLink() {
  const { t } = useTranslation("common");
  const saved = useSavedOrders().orders?.find(({ order }) => !isOrderOver(order));
  if (saved === undefined) return null;
  return (
    <Link className="w-saved-order" href={orderPath(saved.order.orderId, saved.destinationAddress)}>
      <Icon name="receipt" />
      <span className="w-saved-order__words">
        <span>{t("offline.order", { reference: saved.order.reference })}</span>
        <span className="w-saved-order__caption">{t("offline.orderKept")}</span>
      </span>
      <Icon name="chevron-right" size={20} />
    </Link>
  );
}
