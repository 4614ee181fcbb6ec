import { useEffect, useState } from "react";
import { Link } from "wouter";
import { useTranslation } from "react-i18next";
import { keepsPolling } from "#contract/order-progress.ts";
import { orderPath } from "#contract/order-path.ts";
import type { SavedOrder } from "../../features/order/store.ts";
import { Icon } from "../../shared/ui/index.ts";
import "./saved-order-link.css";

/** The newest unfinished order, whose deposit details this device has saved. */
export function SavedOrderLink() {
  const { t } = useTranslation("common");
  const saved = useNewestOpenOrder();
  if (saved === null) return null;
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

function useNewestOpenOrder(): SavedOrder | null {
  const [saved, setSaved] = useState<SavedOrder | null>(null);
  useEffect(() => {
    let isCancelled = false;
    const read = async () => {
      const newest = await newestOpenOrder();
      if (!isCancelled) setSaved(newest);
    };
    void read();
    return () => {
      isCancelled = true;
    };
  }, []);
  return saved;
}

async function newestOpenOrder(): Promise<SavedOrder | null> {
  try {
    const { savedOrders } = await import("../../features/order/store.ts");
    return (await savedOrders.all()).find(({ order }) => keepsPolling(order.orderEvents, false)) ?? null;
  } catch (error) {
    console.debug("the code that reads saved orders isn't on this device", error);
    return null;
  }
}
