import type { Order, OrderEventKind } from "#contract/order.ts";

/** When an event of an order happened; null when it has not. */
export const eventTime = (order: Order, kind: OrderEventKind): string | null =>
  order.orderEvents.find((event) => event.kind === kind)?.at ?? null;
