import { Suspense } from "react";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { kindOfState } from "../store/selectors.ts";
import type { Catalogue } from "../store/state.ts";
import type { CardRateProps } from "../card-rate/card-rate.tsx";

const cardRate = lazyWithPreload<CardRateProps>(
  "src/features/exchange/card-rate/card-rate.tsx",
  async () => (await import("../card-rate/card-rate.tsx")).CardRate,
  ["exchange"],
);

/** Most exchange coins for coins: what a card's rate has besides comes with the first one. */
export const CardRate = (props: CardRateProps) => (
  <Suspense fallback={null}>
    <cardRate.Component {...props} />
  </Suspense>
);

/** What the first render of a calculator at this pair needs. */
export const cardRateParts = (catalogue: Catalogue, pair: { readonly from: string; readonly to: string }) =>
  kindOfState(catalogue, pair) === "exchange" ? [] : [cardRate];
