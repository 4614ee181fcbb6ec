import type { TFunction } from "i18next";
import type { ComponentType } from "react";
import type { Preloadable } from "../../shared/page/lazy-with-preload.tsx";
import type { Locale } from "#contract/locale.ts";
import type { PageLoader } from "../../shared/page/page-context.ts";

export type HeadTexts = {
  readonly title: string;
  readonly description: string;
  /** Values for the placeholders of the page's SEO texts. */
  readonly values?: Readonly<Record<string, string | undefined>>;
  /** The languages that have the page; all by default. */
  readonly locales?: readonly Locale[];
  /** False for a page of an indexed route that search engines should not keep, such as that of a pair nobody asks for. */
  readonly isIndexed?: boolean;
  /** The server draws a preview picture of it (`/pictures/{locale}{path}.png`); the others show the site's own. */
  readonly hasPicture?: boolean;
  /** The days of an article. */
  readonly article?: { readonly publishedAt: string; readonly updatedAt: string | null };
  /** The path of its Atom feed, without language prefix. */
  readonly feed?: string;
  /** What one `currency` costs now, where the page shows it (schema.org `ExchangeRateSpecification`). */
  readonly rate?: { readonly currency: string; readonly price: string; readonly priceCurrency: string };
  /** The pages above it, below the home page. */
  readonly parents?: readonly { readonly name: string; readonly path: string }[];
};

/** What a file of `pages/` exports: a page's component, its loader and its head. */
export type PageModule<Data> = {
  readonly Page: ComponentType;
  readonly load: PageLoader<Data>;
  readonly head: (data: Data, t: TFunction) => HeadTexts;
  /** Lazy parts that the first render of this URL and data needs: loaded before rendering and before hydration. */
  readonly parts?: (query: URLSearchParams, data: Data) => readonly Preloadable[];
  /** Lazy parts in a Suspense boundary of their own: the server renders them, the browser hydrates the page without waiting. */
  readonly deferred?: readonly Preloadable[];
};

/** Checks a page against its own data type, then erases that type for the route table. */
export const definePage = <Data>(page: PageModule<Data>): PageModule<unknown> => page as PageModule<unknown>;
