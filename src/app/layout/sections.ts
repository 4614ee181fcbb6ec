import type { Visit } from "../router/use-visit.ts";

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
export function sectionsOf({ shown }: Visit): readonly Section[] {
  const name = shown.kind === "page" ? shown.route.name : null;
  return [
    { name: "exchange", href: "/", isCurrent: name === "home" || name === "exchange", isTab: true },
    { name: "popular", href: "/popular-exchanges", isCurrent: name === "popular", isTab: false },
    { name: "orders", href: ORDERS_PATH, isCurrent: name === "order" || name === "orders", isTab: true },
  ];
}
