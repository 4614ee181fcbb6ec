import { loadOrder, orderHead, OrderPage } from "../../features/order/index.ts";
import { pageModule } from "../page-module.ts";

export const page = pageModule({ Page: OrderPage, load: loadOrder, head: orderHead });
