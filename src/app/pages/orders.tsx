import { ordersHead } from "../../features/order/list/head.ts";
import { OrdersPage } from "../../features/order/list/orders-page.tsx";
import { pageModule } from "../router/page-module.ts";

/** What it lists is known to the device alone. */
export const page = pageModule<null>({
  Page: OrdersPage,
  load: async () => ({ kind: "page", data: null }),
  head: ordersHead,
});
