import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { isReloadedToScan } from "../../../address/scan/reload-to-scan.ts";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { Button } from "../../../shared/ui/index.ts";
import type { OrderUpdates } from "../requests/use-customer-request.ts";
import { REFUND_ADDRESS_ID } from "./refund-address-id.ts";

const refundDialog = lazyWithPreload(
  "src/features/order/refund/refund-dialog.tsx",
  async () => (await import("./refund-dialog.tsx")).RefundDialog,
);

export type RefundDialogHost = { readonly open: () => void; readonly dialog: ReactNode };

/** The dialog that asks again before a refund is requested; it stays open while the screen under it changes. */
export function useRefundDialog(order: Order, updates: OrderUpdates): RefundDialogHost {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  useEffect(() => {
    if (!isReloadedToScan(REFUND_ADDRESS_ID)) return;
    setOpened(true);
    setOpen(true);
  }, []);
  return {
    open: () => {
      setOpened(true);
      setOpen(true);
    },
    dialog: wasOpened ? (
      <Suspense fallback={null}>
        <refundDialog.Component order={order} updates={updates} open={isOpen} onClose={() => setOpen(false)} />
      </Suspense>
    ) : null,
  };
}

/** A second way out that never competes with the main one. */
export function RefundLink({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useTranslation("order");
  return (
    <div className="w-order__quiet">
      <Button variant="plain" onClick={onOpen}>
        {t("refund.instead")}
      </Button>
    </div>
  );
}
