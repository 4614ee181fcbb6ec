import type { IconName } from "../../shared/ui/index.ts";
import type { PageState } from "../router/use-page-state.ts";

export type NavItem = {
  readonly name: "exchange" | "popular" | "prices" | "orders" | "docs" | "blog" | "support" | "account";
  readonly href: string;
  readonly isCurrent: boolean;
  /** Null where it is no tab on phones. */
  readonly tabIcon: IconName | null;
};

/** The list of this device's orders and the search for any other one. */
export const ORDERS_PATH = "/orders";

/** Leads a guest to the login dialog. */
const ACCOUNT_PATH = "/profile/info";

export function navItemsOf({ view }: PageState): readonly NavItem[] {
  const name = view.kind === "page" ? view.route.name : null;
  return [
    { name: "exchange", href: "/", isCurrent: name === "home" || name === "exchange", tabIcon: "exchange" },
    { name: "popular", href: "/popular-exchanges", isCurrent: name === "popular", tabIcon: null },
    { name: "orders", href: ORDERS_PATH, isCurrent: name === "order" || name === "orders", tabIcon: "receipt" },
    {
      name: "prices",
      href: "/price",
      isCurrent: name === "prices" || name === "price",
      tabIcon: "chart",
    },
    {
      name: "docs",
      href: "/docs",
      isCurrent: name === "docs" || name === "apiReference",
      tabIcon: null,
    },
    { name: "blog", href: "/blog", isCurrent: name === "blog", tabIcon: null },
    { name: "support", href: "/support", isCurrent: name === "support", tabIcon: null },
    { name: "account", href: ACCOUNT_PATH, isCurrent: name === "profile", tabIcon: "person" },
  ];
}
