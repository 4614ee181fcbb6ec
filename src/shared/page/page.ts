import { createContext, use } from "react";
import type { Api } from "#contract/ssr.ts";

/** What a page's loader is given; the same on the server and in the browser. */
export type LoadInput = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly api: Api;
};

/**
 * What a loader answers: data to show (404 for a page that says so itself, such as an order's look-up page), a
 * redirect to a path without language prefix, or nothing at this address. A thrown CallError shows the error page; a
 * loader whose page can be read without the network catches `isUnreachable` errors and answers what it has.
 */
export type Loaded<Data> =
  | { readonly kind: "page"; readonly data: Data; readonly status?: 200 | 404 }
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "notFound" };

export type PageLoader<Data> = (input: LoadInput) => Promise<Loaded<Data>>;

export type PageState = {
  readonly data: unknown;
  /** When the data was loaded, ISO-8601 UTC: what ages in the first render are counted from. */
  readonly now: string;
  readonly isSandbox: boolean;
  /** The partner whose visitors are asked for an email in mode B (spec §4). */
  readonly partnerCode?: string | null;
  readonly miniAppUrl?: string | null;
  readonly sourceUrl?: string | null;
};

export const PageContext = createContext<PageState | null>(null);

function usePage(): PageState {
  const page = use(PageContext);
  if (page === null) throw new Error("page data is read outside a page");
  return page;
}

/** What the page's loader gave; JSON, loaded by the server or, after a move inside the app, by the browser. */
export const usePageData = <Data>(): Data => usePage().data as Data;

/** When the page's data was loaded, ISO-8601 UTC. */
export const usePageNow = (): string => usePage().now;

/** True while the sandbox's tools may be offered (contract §7). */
export const useIsSandbox = (): boolean => usePage().isSandbox;

/** The partner whose visitors are asked for an email in mode B; null without one. */
export const usePartnerCode = (): string | null => use(PageContext)?.partnerCode ?? null;

/** Where the mini-app opens and the source can be read; null where the operator names no such place. */
export function useOutsideLinks(): { readonly miniAppUrl: string | null; readonly sourceUrl: string | null } {
  const { miniAppUrl = null, sourceUrl = null } = use(PageContext) ?? {};
  return { miniAppUrl, sourceUrl };
}
