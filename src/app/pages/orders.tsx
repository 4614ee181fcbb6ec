import { ordersHead } from "../../features/order/head.ts";
import { OrdersPage } from "../../features/order/list/orders-page.tsx";
import { definePage } from "../router/define-page.ts";

/** Only the device knows its orders. */
export const page = definePage<null>({
  Page: OrdersPage,
  load: async () => ({ kind: "page", data: null }),
  head: ordersHead,
});
