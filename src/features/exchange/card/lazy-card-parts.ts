import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";

/** What the destination step has besides for an order by card. */
export const cardParts = lazyWithPreload(
  "src/features/exchange/card/card-parts.tsx",
  async () => (await import("./card-parts.tsx")).CardParts,
  ["exchange", "card"],
);
