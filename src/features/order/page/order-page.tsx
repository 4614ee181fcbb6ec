import { useEffect, useEffectEvent, useRef, useState } from "react";
import { SWRConfig } from "swr";
import { useSnapshot } from "valtio";
import type { Order } from "#contract/order.ts";
import { loadsRefundInfo } from "#contract/order-progress.ts";
import { signedIn } from "../../../shared/account/signed-in.ts";
import { useI18n } from "../../../shared/i18n/index.ts";
import { usePageData } from "../../../shared/page/page-context.ts";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import type { OrderPageData } from "../load.ts";
import { orderView } from "../model/view/order-view.ts";
import { screenOf } from "../model/view/screen.ts";
import { noOrder, prefetchParts } from "./order-parts.ts";
import { savedOrders } from "../store.ts";
import { useIsCardNamed } from "../card/named-cards.ts";
import { useOrderTracking } from "./tracking.ts";
import { useOrder, useRefundInfo } from "./use-order.ts";
import type { OrderUpdates } from "../requests/use-customer-request.ts";
import { useFocusFallback } from "./use-focus-fallback.ts";
import { useServerNow, useServerOffset } from "./use-server-now.ts";
import { OrderArticle } from "./order-article.tsx";
import { StateAnnouncement } from "./state-announcement.tsx";
import { StaleNote } from "./state-notes.tsx";

type OrderPageProps = {
  /** Called with the order at each status that it comes to. */
  readonly onSeen?: (order: Order) => void;
};

/** `/order/{id}?destinationAddress=…`: an order from its deposit to its receipt. */
export function OrderPage({ onSeen }: OrderPageProps) {
  const data = usePageData<OrderPageData>();
  const key = `${data.orderId} ${data.destinationAddress}`;
  if (data.kind === "pending" || data.kind === "lookup")
    return <noOrder.Component key={key} asked={data} why={data.kind} />;
  return (
    <SWRConfig key={key} value={{ provider: () => new Map() }}>
      <LiveOrderPage data={data} {...(onSeen && { onSeen })} />
    </SWRConfig>
  );
}

function LiveOrderPage({ data, onSeen }: OrderPageProps & { readonly data: OrderPageData }) {
  const offset = useServerOffset();
  const live = useOrder(data, offset);
  const { order, seenAt = null } = live.seen ?? {};
  const isFromDevice = data.kind === "found" && data.savedAt !== null && data.savedAt === seenAt;
  const hasLooked = useHasLooked(seenAt);
  useSavedOrder(isFromDevice ? undefined : order, data.destinationAddress, seenAt);
  useTold(order, onSeen);
  const isOffline = !useOnline();

  if (live.isAddressIncorrect) return <noOrder.Component asked={data} why="lookup" />;
  if (order === undefined || seenAt === null)
    return <noOrder.Component asked={data} why="unreachable" onRetry={live.refresh} />;
  const isStale = isFromDevice || live.isFailing || isOffline;
  return (
    <CurrentOrder
      order={order}
      hasLooked={hasLooked}
      offset={offset}
      lastSeenAt={isStale ? seenAt : null}
      stale={isStale ? <StaleNote seenAt={seenAt} offset={offset} onRetry={live.refresh} /> : null}
      updates={{ onChanged: live.refresh, onOrder: live.show }}
    />
  );
}

type CurrentOrderProps = {
  readonly order: Order;
  readonly hasLooked: boolean;
  readonly offset: number;
  readonly stale: React.ReactNode;
  /** While it is stale, when it was last seen. */
  readonly lastSeenAt: string | null;
  readonly updates: OrderUpdates;
};

function CurrentOrder({ order, hasLooked, offset, stale, lastSeenAt, updates }: CurrentOrderProps) {
  useOrderTracking(order);
  // Before a deposit there is nothing to return: the first look is early enough.
  useRefundInfo(order, useHydrated() && loadsRefundInfo(order.rateMode) && (hasLooked || order.deposits.length > 0));
  const screen = screenOf(order, 0);
  const isCounting = (order.expiresAt !== null && screen === "send") || (order.offer !== null && screen === "choice");
  const now = useServerNow(offset, isCounting, screen === "send" ? order.unpaidUntil : null);
  const view = orderView(order, now, useIsCardNamed(order.orderId));
  const [first] = useState(view.screen);
  const steps = useRef<HTMLDivElement>(null);
  useFocusFallback(steps);
  return (
    <>
      <OrderArticle
        order={order}
        view={view}
        hasMoved={view.screen !== first}
        stepsRef={steps}
        stale={stale}
        lastSeenAt={lastSeenAt}
        updates={updates}
      />
      <StateAnnouncement order={order} view={view} />
    </>
  );
}

/** True from the first look at the service on: then the other states' parts come too, before the order does. */
function useHasLooked(seenAt: string | null): boolean {
  const i18n = useI18n();
  const [first] = useState(seenAt);
  const hasLooked = seenAt !== first;
  useEffect(() => {
    if (hasLooked) prefetchParts(i18n);
  }, [hasLooked, i18n]);
  return hasLooked;
}

function useTold(order: Order | undefined, onSeen: OrderPageProps["onSeen"]): void {
  const tell = useEffectEvent(() => order !== undefined && onSeen?.(order));
  useEffect(() => {
    tell();
  }, [order?.reference, order?.status]);
}

/** Saves what was seen on this device, so that its deposit details can be read without the network. */
function useSavedOrder(order: Order | undefined, destinationAddress: string, seenAt: string | null): void {
  const { userId } = useSnapshot(signedIn);
  useEffect(() => {
    if (order === undefined || seenAt === null) return;
    void savedOrders.save({ order, destinationAddress, seenAt, userId: userId ?? undefined });
  }, [order, destinationAddress, seenAt, userId]);
}
