import type { RedirectStatus } from "#contract/site/site.ts";
import type { PageModule } from "./define-page.ts";
import type { Route } from "./route-table.ts";

export type FoundPage = {
  readonly kind: "page";
  readonly status: 200 | 404;
  readonly route: Route;
  readonly module: PageModule<unknown>;
  readonly params: Readonly<Record<string, string>>;
  readonly data: unknown;
};

/** What is shown at a URL. */
export type PageView =
  | FoundPage
  /** `message` is that of spec §2, with the full path. */
  | { readonly kind: "notFound"; readonly message: string }
  | { readonly kind: "failed"; readonly error: unknown };

export type Resolution =
  | PageView
  /** To a path with its language prefix, or to a full URL. */
  | { readonly kind: "redirect"; readonly to: string; readonly status: RedirectStatus };
