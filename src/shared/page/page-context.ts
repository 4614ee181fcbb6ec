import { createContext, use, useState } from "react";
import { useSearch } from "wouter";
import type { RedirectStatus } from "#contract/site/site.ts";
import { type Api, DEFAULT_SITE_SETTINGS } from "#contract/site/ssr.ts";
import type { Locale } from "#contract/locale.ts";

/** The input of a page's loader; the same on the server and in the browser. */
export type LoadInput = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly api: Api;
};

/**
 * A loader's result: data (with 404 for a page that itself says what is missing, such as an order's look-up page), a redirect
 * to a path without language prefix, or not found. A thrown CallError shows the error page; a loader whose page is readable
 * offline catches `isUnreachable` errors and returns what it has.
 */
export type Loaded<Data> =
  | { readonly kind: "page"; readonly data: Data; readonly status?: 200 | 404 }
  | { readonly kind: "redirect"; readonly to: string; /** 302 by default. */ readonly status?: RedirectStatus }
  | { readonly kind: "notFound" };

/** For pages whose data differ by language. */
export type LocalLoadInput = LoadInput & { readonly locale: Locale };

export type PageLoader<Data> = (input: LocalLoadInput) => Promise<Loaded<Data>>;

export type PageContextValue = {
  readonly data: unknown;
  /** When the data was loaded, ISO-8601 UTC; ages in the first render count from it. */
  readonly now: string;
  readonly isSandbox: boolean;
  /** The partner whose visitors are asked for an email in mode B (spec §4). */
  readonly partnerCode?: string | null;
  readonly miniAppUrl?: string | null;
  readonly sourceUrl?: string | null;
  readonly rateLockMinutes?: number;
};

export const PageContext = createContext<PageContextValue | null>(null);

function usePage(): PageContextValue {
  const page = use(PageContext);
  if (page === null) throw new Error("page data is used outside PageContext");
  return page;
}

/** The page loader's data: JSON, loaded by the server or, after a navigation inside the app, by the browser. */
export const usePageData = <Data>(): Data => usePage().data as Data;

/** When the page's data was loaded, ISO-8601 UTC. */
export const usePageNow = (): string => usePage().now;

/** True while the sandbox is on (contract §7). */
export const useIsSandbox = (): boolean => usePage().isSandbox;

/** The partner whose visitors are asked for an email in mode B; null if there is none. */
export const usePartnerCode = (): string | null => use(PageContext)?.partnerCode ?? null;

/** How long a fixed rate is locked after an order's creation, in whole minutes. */
export const useRateLockMinutes = (): number =>
  use(PageContext)?.rateLockMinutes ?? DEFAULT_SITE_SETTINGS.rateLockMinutes;

/** Links to the mini-app and the source code; null where the operator configured none. */
export function useExternalLinks(): { readonly miniAppUrl: string | null; readonly sourceUrl: string | null } {
  const { miniAppUrl = null, sourceUrl = null } = use(PageContext) ?? {};
  return { miniAppUrl, sourceUrl };
}

/** The query that belongs to the page on screen: during a navigation the location already has the next page's. */
export function usePageSearch(isPageCurrent: boolean): string {
  const search = useSearch();
  const [pageSearch, setPageSearch] = useState(search);
  if (isPageCurrent && pageSearch !== search) setPageSearch(search);
  return isPageCurrent ? search : pageSearch;
}
