import type { Namespace } from "../../shared/i18n/namespaces.ts";
import type { PageModule } from "./define-page.ts";

export type RouteName =
  | "home"
  | "popular"
  | "exchange"
  | "order"
  | "orders"
  | "stopRefund"
  | "profile"
  | "prices"
  | "price"
  | "blog"
  | "docs"
  | "apiReference"
  | "swapApi"
  | "info"
  | "support"
  | "authorities"
  | "widget";

export type Route = {
  readonly name: RouteName;
  /** Matches a path without language prefix; named groups are the page's params. */
  readonly path: RegExp;
  readonly page: () => Promise<{ page: PageModule<unknown> }>;
  /** The page's source path, its key in the build's manifest. */
  readonly module: string;
  /** Messages that its head and its components need, beyond `common`. */
  readonly namespaces: readonly Namespace[];
  /** Query parameters that the loaded data depends on; others change without a new load. */
  readonly dataQuery: readonly string[];
  /** Search engines may index it. */
  readonly isIndexed: boolean;
  /** `step` is a screen of an exchange in progress: without the tab bar, and an update waits until it is left. */
  readonly layout: "default" | "step";
};

/** Every page (spec §2); the first match counts, no match is a 404. */
export const routes: readonly Route[] = [
  {
    name: "home",
    path: /^\/$/,
    page: () => import("../pages/home.tsx"),
    module: "src/app/pages/home.tsx",
    namespaces: ["exchange", "home"],
    // The pair that its calculator opens with: a link to another one leads there from the page itself too.
    dataQuery: ["send", "receive"],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "popular",
    path: /^\/popular-exchanges$/,
    page: () => import("../pages/popular.tsx"),
    module: "src/app/pages/popular.tsx",
    namespaces: ["home"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "exchange",
    path: /^\/exchange-(?<pair>[^/]+)$/,
    page: () => import("../pages/exchange.tsx"),
    module: "src/app/pages/exchange.tsx",
    namespaces: ["exchange"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "order",
    path: /^\/order\/(?<id>[^/]+)$/,
    page: () => import("../pages/order.tsx"),
    module: "src/app/pages/order.tsx",
    namespaces: ["order"],
    dataQuery: ["destinationAddress"],
    isIndexed: false,
    layout: "step",
  },
  {
    name: "orders",
    path: /^\/orders$/,
    page: () => import("../pages/orders.tsx"),
    module: "src/app/pages/orders.tsx",
    namespaces: ["order"],
    dataQuery: [],
    isIndexed: false,
    layout: "default",
  },
  {
    name: "stopRefund",
    path: /^\/stop-refund$/,
    page: () => import("../pages/stop-refund.tsx"),
    module: "src/app/pages/stop-refund.tsx",
    namespaces: ["order"],
    dataQuery: [],
    isIndexed: false,
    layout: "step",
  },
  {
    name: "profile",
    path: /^\/profile\/(?<name>[a-z-]+)$/,
    page: () => import("../pages/profile.tsx"),
    module: "src/app/pages/profile.tsx",
    namespaces: ["account"],
    dataQuery: [],
    isIndexed: false,
    layout: "default",
  },
  {
    name: "prices",
    path: /^\/price$/,
    page: () => import("../pages/prices.tsx"),
    module: "src/app/pages/prices.tsx",
    namespaces: ["prices"],
    dataQuery: ["page"],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "price",
    path: /^\/price\/(?<symbol>[^/]+)$/,
    page: () => import("../pages/price.tsx"),
    module: "src/app/pages/price.tsx",
    namespaces: ["prices", "share"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "blog",
    path: /^\/blog(?<below>(?:\/[^/%]+)*)$/,
    page: () => import("../pages/blog.tsx"),
    module: "src/app/pages/blog.tsx",
    namespaces: ["content", "share"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "apiReference",
    path: /^\/docs\/api$/,
    page: () => import("../pages/api-reference.tsx"),
    module: "src/app/pages/api-reference.tsx",
    namespaces: ["api", "content"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "swapApi",
    path: /^\/swap-api$/,
    page: () => import("../pages/swap-api.tsx"),
    module: "src/app/pages/swap-api.tsx",
    namespaces: ["api"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "docs",
    path: /^\/docs(?<below>(?:\/[^/%]+)*)$/,
    page: () => import("../pages/docs.tsx"),
    module: "src/app/pages/docs.tsx",
    namespaces: ["content", "share"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "info",
    path: /^\/(?<name>how-it-works|roadmap|affiliate|cashback|wallet|terms|privacy|aml)$/,
    page: () => import("../pages/info.tsx"),
    module: "src/app/pages/info.tsx",
    namespaces: ["content", "info", "share"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "support",
    path: /^\/support$/,
    page: () => import("../pages/support.tsx"),
    module: "src/app/pages/support.tsx",
    namespaces: ["content", "info", "order"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "authorities",
    path: /^\/for-competent-authorities$/,
    page: () => import("../pages/authorities.tsx"),
    module: "src/app/pages/authorities.tsx",
    namespaces: ["content", "info"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
  {
    name: "widget",
    path: /^\/widget$/,
    page: () => import("../pages/widget.tsx"),
    module: "src/app/pages/widget.tsx",
    namespaces: ["widget"],
    dataQuery: [],
    isIndexed: true,
    layout: "default",
  },
];

export type Match = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

/** The route of a path without language prefix; null where there is none or the path can't be decoded. */
export function matchRoute(path: string): Match | null {
  for (const route of routes) {
    const groups = route.path.exec(path)?.groups ?? (route.path.test(path) ? {} : null);
    if (groups === null) continue;
    const params = decodeParams(groups);
    return params === null ? null : { route, params };
  }
  return null;
}

function decodeParams(groups: Record<string, string>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    // A malformed percent code matches no page.
    return null;
  }
}
