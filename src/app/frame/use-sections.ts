import type { Visit } from "../use-visit.ts";
import { useLastOrder } from "./use-last-order.ts";

export type Section = {
  readonly name: "exchange" | "popular" | "orders";
  readonly href: string;
  readonly isCurrent: boolean;
  /** Stands in the tab bar of phones too. */
  readonly isTab: boolean;
};

/** Where the navigation leads: only to what there is. Orders are there once this device has seen one. */
export function useSections(visit: Visit): readonly Section[] {
  const lastOrder = useLastOrder(visit);
  const name = visit.shown.kind === "page" ? visit.shown.route.name : null;
  const sections: Section[] = [
    { name: "exchange", href: "/", isCurrent: name === "home" || name === "exchange", isTab: true },
    { name: "popular", href: "/popular-exchanges", isCurrent: name === "popular", isTab: false },
  ];
  return lastOrder === null
    ? sections
    : [...sections, { name: "orders", href: lastOrder, isCurrent: name === "order", isTab: true }];
}
