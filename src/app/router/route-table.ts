import type { Part } from "../../shared/i18n/messages.ts";
import type { PageModule } from "./define-page.ts";

export type RouteName = "home" | "popular" | "exchange" | "order" | "orders";

export type Route = {
  readonly name: RouteName;
  /** Matches a path without language prefix; named groups are the page's params. */
  readonly pattern: RegExp;
  readonly page: () => Promise<{ page: PageModule<unknown> }>;
  /** The page's source, as the build's manifest knows it. */
  readonly module: string;
  /** Words beyond the shared ones. */
  readonly words: readonly Part[];
  /** Query parameters that the loaded data depends on; others may change without a new load. */
  readonly dataQuery: readonly string[];
  /** Search engines may keep it. */
  readonly isIndexed: boolean;
  /** A screen of the swap itself: an update waits until it is left. */
  readonly isStep: boolean;
};

/** Every page that there is (spec §2); the first match counts, and no match is a 404. */
export const routes: readonly Route[] = [
  {
    name: "home",
    pattern: /^\/$/,
    page: () => import("../pages/home.tsx"),
    module: "src/app/pages/home.tsx",
    words: [],
    dataQuery: [],
    isIndexed: true,
    isStep: false,
  },
  {
    name: "popular",
    pattern: /^\/popular-exchanges$/,
    page: () => import("../pages/popular.tsx"),
    module: "src/app/pages/popular.tsx",
    words: ["home"],
    dataQuery: [],
    isIndexed: true,
    isStep: false,
  },
  {
    name: "exchange",
    pattern: /^\/exchange-(?<pair>[^/]+)$/,
    page: () => import("../pages/exchange.tsx"),
    module: "src/app/pages/exchange.tsx",
    words: [],
    dataQuery: [],
    isIndexed: true,
    isStep: false,
  },
  {
    name: "order",
    pattern: /^\/order\/(?<id>[^/]+)$/,
    page: () => import("../pages/order.tsx"),
    module: "src/app/pages/order.tsx",
    words: ["order"],
    dataQuery: ["destinationAddress"],
    isIndexed: false,
    isStep: true,
  },
  {
    name: "orders",
    pattern: /^\/orders$/,
    page: () => import("../pages/orders.tsx"),
    module: "src/app/pages/orders.tsx",
    words: ["order"],
    dataQuery: [],
    isIndexed: false,
    isStep: false,
  },
];

export type Match = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

/** The route of a path without language prefix; null where there is none or the path can't be decoded. */
export function matchRoute(path: string): Match | null {
  for (const route of routes) {
    const groups = route.pattern.exec(path)?.groups ?? (route.pattern.test(path) ? {} : null);
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
    // A broken percent code names nothing that exists.
    return null;
  }
}
