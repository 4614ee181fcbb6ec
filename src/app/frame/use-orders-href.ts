import { matchRoute } from "../route-table.ts";
import type { Visit } from "../use-visit.ts";
import { useLastOrder } from "./use-last-order.ts";

const ORDERS = "/orders";

/** Where this device's orders are found: their own page where the app has one, else the last order; null without either. */
export function useOrdersHref(visit: Visit): string | null {
  const lastOrder = useLastOrder(visit);
  return matchRoute(ORDERS) === null ? lastOrder : ORDERS;
}
