import { Suspense, useState } from "react";
import { isCreationInterrupted } from "../../features/exchange/creation/interrupted.ts";
import { loadOrder, orderHead, OrderPage, partsOf } from "../../features/order/index.ts";
import type { OrderPageData } from "../../features/order/load.ts";
import { usePageData } from "../../shared/page/page-context.ts";
import { lazyWithPreload } from "../../shared/page/lazy-with-preload.tsx";
import { useHydrated } from "../../shared/page/use-hydrated.ts";
import { definePage } from "../router/define-page.ts";

const pendingOrder = lazyWithPreload(
  "src/features/exchange/creation/pending-order.tsx",
  async () => (await import("../../features/exchange/creation/pending-order.tsx")).PendingOrder,
  ["exchange"],
);

/** An order; at `/order/pending` the one that this tab is still asking for, where there is one. */
function Page() {
  const { kind } = usePageData<OrderPageData>();
  const isHydrated = useHydrated();
  return kind === "pending" && isHydrated ? <Pending /> : <OrderPage />;
}

function Pending() {
  // Only as the page opens: the attempt is gone before the order's own page has come.
  const [hasAttempt] = useState(isCreationInterrupted);
  if (!hasAttempt) return <OrderPage />;
  return (
    <Suspense fallback={<OrderPage />}>
      <pendingOrder.Component otherwise={<OrderPage />} />
    </Suspense>
  );
}

export const page = definePage<OrderPageData>({
  Page,
  load: loadOrder,
  head: orderHead,
  parts: (_, data) => partsOf(data),
});
