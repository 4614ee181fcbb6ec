import { useState } from "react";
import type { Order } from "#contract/order.ts";
import { isCreationInterrupted } from "../../features/exchange/creation/interrupted.ts";
import { PendingOrder } from "../../features/exchange/creation/pending-order.tsx";
import type { OrderPageData } from "../../features/order/load.ts";
import { OrderPage } from "../../features/order/index.ts";
import { NotificationToast } from "../layout/notification-toast.tsx";

type EmbedOrderProps = {
  readonly kind: OrderPageData["kind"];
  readonly onSeen: (order: Order) => void;
};

/** An order inside the widget, from its deposit to its receipt; while its creation is uncertain, what asks for it. */
export function EmbedOrder({ kind, onSeen }: EmbedOrderProps) {
  // Only as it opens: the attempt is gone before the order's own screen has come.
  const [hasAttempt] = useState(isCreationInterrupted);
  const page = <OrderPage onSeen={onSeen} />;
  return (
    <>
      {kind === "pending" && hasAttempt ? <PendingOrder otherwise={page} /> : page}
      <div className="w-embed__toasts">
        <NotificationToast />
      </div>
    </>
  );
}
