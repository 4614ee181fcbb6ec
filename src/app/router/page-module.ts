import type { TFunction } from "i18next";
import type { ComponentType } from "react";
import type { LatePart } from "../../shared/page/late-part.tsx";
import type { PageLoader } from "../../shared/page/page.ts";
import type { Preload } from "../../shared/page/preloadable.tsx";

export type HeadWords = {
  readonly title: string;
  readonly description: string;
  /** What fills the holes of the page's SEO texts. */
  readonly values?: Readonly<Record<string, string | undefined>>;
};

/** What a file of `pages/` exports: a page, what loads it and what its head says. */
export type PageModule<Data> = {
  readonly Page: ComponentType;
  readonly load: PageLoader<Data>;
  readonly head: (data: Data, t: TFunction) => HeadWords;
  /** What else an address and its data need for their first render. */
  readonly parts?: (query: URLSearchParams, data: Data) => readonly Preload[];
  /** What stays as the server has rendered it until it is touched. */
  readonly late?: readonly LatePart[];
};

/** Forgets the type of the data, which only a page's own three parts share. */
export const pageModule = <Data>(module: PageModule<Data>): PageModule<unknown> => module as PageModule<unknown>;
