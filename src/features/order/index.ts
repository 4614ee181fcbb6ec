export { OrderPage } from "./page/order-page.tsx";
export { orderHead } from "./head.ts";
export { loadOrder } from "./load.ts";
export { partsOf } from "./order-parts.ts";
