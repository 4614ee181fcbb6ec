import { useEffect, useState } from "react";
import { Link } from "wouter";
import { useTranslation } from "react-i18next";
import { keepsPolling } from "#contract/order-progress.ts";
import { orderPath } from "#contract/order-path.ts";
import type { SavedOrder } from "../../features/order/store.ts";
import { useOnline } from "../../shared/browser/connectivity.ts";
import { Icon } from "../../shared/ui/index.ts";
import "./saved-order.css";

/** Offline, below the calculator: the newest unfinished order, whose deposit details this device has saved. */
export function SavedOrder() {
  const { t } = useTranslation("common");
  const kept = useNewestOpenOrder(!useOnline());
  if (kept === null) return null;
  return (
    <Link className="w-saved-order" href={orderPath(kept.order.orderId, kept.destinationAddress)}>
      <Icon name="receipt" />
      <span className="w-saved-order__words">
        <span>{t("offline.order", { reference: kept.order.reference })}</span>
        <span className="w-saved-order__caption">{t("offline.orderKept")}</span>
      </span>
      <Icon name="chevron-right" size={20} />
    </Link>
  );
}

function useNewestOpenOrder(isOffline: boolean): SavedOrder | null {
  const [kept, setKept] = useState<SavedOrder | null>(null);
  useEffect(() => {
    let isCancelled = false;
    const read = async () => {
      const newest = isOffline ? await newestOpenOrder() : null;
      if (!isCancelled) setKept(newest);
    };
    void read();
    return () => {
      isCancelled = true;
    };
  }, [isOffline]);
  return kept;
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
