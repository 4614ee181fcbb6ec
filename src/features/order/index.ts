export { OrderPage } from "./page/order-page.tsx";
export { orderHead } from "./head.ts";
export { loadOrder } from "./load.ts";
export { partsOf } from "./page/order-parts.ts";
