import type { PageState } from "../router/use-page-state.ts";

export type Section = {
  readonly name: "exchange" | "popular" | "orders";
  readonly href: string;
  readonly isCurrent: boolean;
  /** Stands in the tab bar of phones too. */
  readonly isTab: boolean;
};

/** Where this device's orders are listed, and any other one is found. */
export const ORDERS_PATH = "/orders";

/** Where the navigation leads: only to what there is. */
export function sectionsOf({ view }: PageState): readonly Section[] {
  const name = view.kind === "page" ? view.route.name : null;
  return [
    { name: "exchange", href: "/", isCurrent: name === "home" || name === "exchange", isTab: true },
    { name: "popular", href: "/popular-exchanges", isCurrent: name === "popular", isTab: false },
    { name: "orders", href: ORDERS_PATH, isCurrent: name === "order" || name === "orders", isTab: true },
  ];
}
