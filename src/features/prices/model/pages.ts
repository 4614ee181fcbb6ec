/** Coins of a page. */
const SIZE = 50;

export const pagesOf = (count: number): number => Math.max(1, Math.ceil(count / SIZE));

/** The address of a page of the list. */
export const pagePath = (page: number): string => (page === 1 ? "/price" : `/price?page=${page}`);

/** Whether a list of so many has this page; the first one is named by no number. */
export const isPage = (count: number, page: string | null): boolean =>
  page === null || (/^[1-9]\d{0,5}$/.test(page) && page !== "1" && Number(page) <= pagesOf(count));

export type Page<Item> = { readonly shown: readonly Item[]; readonly page: number; readonly pages: number };

/** A page of a list; what was searched for is shown from its beginning, whatever page was open. */
export function pageOf<Item>(items: readonly Item[], page: string | null, isWhole: boolean): Page<Item> {
  if (!isWhole) return { shown: items.slice(0, SIZE), page: 1, pages: 1 };
  const at = isPage(items.length, page) ? Number(page ?? 1) : 1;
  return { shown: items.slice((at - 1) * SIZE, at * SIZE), page: at, pages: pagesOf(items.length) };
}
