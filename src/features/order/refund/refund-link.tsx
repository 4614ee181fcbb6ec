import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { Button } from "../../../shared/ui/index.ts";
import type { OrderUpdates } from "../use-customer-request.ts";

const refundDialog = lazyWithPreload(
  "src/features/order/refund/refund-dialog.tsx",
  async () => (await import("./refund-dialog.tsx")).RefundDialog,
);

export type QuietRefundProps = { readonly order: Order; readonly updates: OrderUpdates };

/** A second way out that never competes with the main one; it asks again before anything happens. */
export function RefundLink({ order, updates }: QuietRefundProps) {
  const { t } = useTranslation("order");
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  return (
    <div className="w-order__quiet">
      <Button variant="plain" onClick={open}>
        {t("refund.instead")}
      </Button>
      {wasOpened ? (
        <Suspense fallback={null}>
          <refundDialog.Component order={order} updates={updates} open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
