import type { Visit } from "../use-visit.ts";
import { useLastOrder } from "./use-last-order.ts";

export type Section = { readonly name: "exchange" | "orders"; readonly href: string; readonly isCurrent: boolean };

/** Where the navigation leads: only to what there is. Orders are there once this device has seen one. */
export function useSections(visit: Visit): readonly Section[] {
  const lastOrder = useLastOrder(visit);
  const name = visit.shown.kind === "page" ? visit.shown.route.name : null;
  const exchange: Section = { name: "exchange", href: "/", isCurrent: name === "home" || name === "exchange" };
  return lastOrder === null ? [exchange] : [exchange, { name: "orders", href: lastOrder, isCurrent: name === "order" }];
}
