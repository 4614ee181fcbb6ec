import { useEffect } from "react";
import type { Order } from "#contract/order.ts";
import { loadsRefundInfo } from "#contract/order-progress.ts";
import { usePageData } from "../../../lib/page.ts";
import { useOnline } from "../../../platform/connectivity.ts";
import type { OrderPageData } from "../load.ts";
import { orderView } from "../model/order-view.ts";
import { screenOf } from "../model/screen.ts";
import { useFunnel } from "../use-funnel.ts";
import { useOrder } from "../use-order.ts";
import type { OrderUpdates } from "../use-owner-request.ts";
import { useRefundInfo } from "../use-refund-info.ts";
import { useServerNow, useServerOffset } from "../use-server-now.ts";
import { Lookup } from "./lookup.tsx";
import { OrderArticle } from "./order-article.tsx";
import { Pending } from "./pending.tsx";
import { StateAnnouncement } from "./state-announcement.tsx";
import { StaleNote } from "./stale-note.tsx";
import { Unreachable } from "./unreachable.tsx";

/** `/order/{id}?destinationAddress=…`: an order from its deposit to its receipt. */
export function OrderPage() {
  const data = usePageData<OrderPageData>();
  const key = `${data.orderId} ${data.destinationAddress}`;
  if (data.kind === "pending") return <Pending />;
  if (data.kind === "lookup") return <Lookup key={key} {...data} />;
  return <LiveOrderPage key={key} data={data} />;
}

function LiveOrderPage({ data }: { readonly data: OrderPageData }) {
  const offset = useServerOffset();
  const live = useOrder(data, offset);
  const { order, seenAt = null } = live.seen ?? {};
  const isFromDevice = data.kind === "found" && data.keptAt !== null && data.keptAt === seenAt;
  useKept(isFromDevice ? undefined : order, data.destinationAddress, seenAt);
  const isOffline = !useOnline();

  if (live.isAddressIncorrect) return <Lookup orderId={data.orderId} destinationAddress={data.destinationAddress} />;
  if (order === undefined || seenAt === null) return <Unreachable onRetry={live.refresh} />;
  const isStale = isFromDevice || live.isFailing || isOffline;
  return (
    <CurrentOrder
      order={order}
      offset={offset}
      lastSeenAt={isStale ? seenAt : null}
      stale={isStale ? <StaleNote seenAt={seenAt} offset={offset} onRetry={live.refresh} /> : null}
      updates={{ onChanged: live.refresh, onOrder: live.show }}
    />
  );
}

type CurrentOrderProps = {
  readonly order: Order;
  readonly offset: number;
  readonly stale: React.ReactNode;
  /** While it is stale, when it was last seen. */
  readonly lastSeenAt: string | null;
  readonly updates: OrderUpdates;
};

function CurrentOrder({ order, offset, stale, lastSeenAt, updates }: CurrentOrderProps) {
  useRefundInfo(order, loadsRefundInfo(order.rateMode));
  useFunnel(order);
  const isHeld = order.expiresAt !== null && screenOf(order, 0) === "send";
  const now = useServerNow(offset, isHeld);
  const view = orderView(order, now);
  return (
    <>
      <OrderArticle order={order} view={view} stale={stale} lastSeenAt={lastSeenAt} updates={updates} />
      <StateAnnouncement order={order} view={view} />
    </>
  );
}

/** Keeps what was seen on this device, so that its deposit details can be read without the network. */
function useKept(order: Order | undefined, destinationAddress: string, seenAt: string | null): void {
  useEffect(() => {
    if (order === undefined || seenAt === null) return;
    const keep = async () => {
      const { deviceOrders } = await import("../device-orders.ts");
      await deviceOrders.keep({ order, destinationAddress, seenAt });
    };
    void keep();
  }, [order, destinationAddress, seenAt]);
}
