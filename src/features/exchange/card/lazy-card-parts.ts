import { kindOfState } from "../store/selectors.ts";
import type { Catalogue } from "../store/state.ts";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";

/** What the destination step has besides for an order by card. */
export const cardParts = lazyWithPreload(
  "src/features/exchange/card/card-parts.tsx",
  async () => (await import("./card-parts.tsx")).CardParts,
  ["exchange", "card"],
);

/** What the first render of a destination step at this pair needs. */
export const cardStepParts = (catalogue: Catalogue, pair: { readonly from: string; readonly to: string }) =>
  kindOfState(catalogue, pair) === "exchange" ? [] : [cardParts];
