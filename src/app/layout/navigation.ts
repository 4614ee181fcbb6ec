import type { IconName } from "../../shared/ui/index.ts";
import type { PageState } from "../router/use-page-state.ts";

export type NavItem = {
  readonly name:
    | "exchange"
    | "buySell"
    | "popular"
    | "prices"
    | "orders"
    | "affiliate"
    | "api"
    | "docs"
    | "blog"
    | "support"
    | "account";
  readonly href: string;
  readonly isCurrent: boolean;
  /** Null where it is no tab on phones. */
  readonly tabIcon: IconName | null;
  /** It is in the menu of a tablet alone: a desktop's header has no room for it. */
  readonly isInMenuOnly?: boolean;
};

/** The list of this device's orders and the search for any other one. */
export const ORDERS_PATH = "/orders";

/** Leads a guest to the login dialog. */
const ACCOUNT_PATH = "/profile/info";

/** The calculator with a currency, which a card pays. */
const BUY_SELL_PATH = "/?send=usd";

export function navItemsOf({ view, settings }: PageState): readonly NavItem[] {
  const name = view.kind === "page" ? view.route.name : null;
  const page = view.kind === "page" ? view.params["name"] : undefined;
  return [
    { name: "exchange", href: "/", isCurrent: name === "home" || name === "exchange", tabIcon: "exchange" },
    ...(settings.isCardTaken
      ? [{ name: "buySell" as const, href: BUY_SELL_PATH, isCurrent: false, tabIcon: null }]
      : []),
    {
      name: "popular",
      href: "/popular-exchanges",
      isCurrent: name === "popular",
      tabIcon: null,
      isInMenuOnly: true,
    },
    { name: "orders", href: ORDERS_PATH, isCurrent: name === "order" || name === "orders", tabIcon: "receipt" },
    {
      name: "prices",
      href: "/price",
      isCurrent: name === "prices" || name === "price",
      tabIcon: "chart",
    },
    { name: "affiliate", href: "/affiliate", isCurrent: page === "affiliate", tabIcon: null },
    { name: "api", href: "/swap-api", isCurrent: name === "swapApi" || name === "apiReference", tabIcon: null },
    { name: "docs", href: "/docs", isCurrent: name === "docs", tabIcon: null, isInMenuOnly: true },
    { name: "blog", href: "/blog", isCurrent: name === "blog", tabIcon: null },
    { name: "support", href: "/support", isCurrent: name === "support", tabIcon: null },
    { name: "account", href: ACCOUNT_PATH, isCurrent: name === "profile", tabIcon: "person" },
  ];
}
