import { lazyWithPreload } from "../../shared/page/lazy-with-preload.tsx";

/** Comes with the order: most visitors only look at the rate. */
export const embedOrder = lazyWithPreload(
  "src/app/embed/embed-order.tsx",
  async () => (await import("./embed-order.tsx")).EmbedOrder,
  ["order", "exchange"],
);
