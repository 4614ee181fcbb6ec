import type { Api } from "#contract/site/ssr.ts";
import { LOCALES, type Locale } from "#contract/locale.ts";
import { loadPriceList } from "./load.ts";
import { pagePath, pagesOf } from "./model/pages.ts";

type Listed = { readonly path: string; readonly locales: readonly Locale[] };

/** The pages of all coins. */
export const coinPaths = async (api: Api): Promise<Listed[]> =>
  (await api.call("prices", { query: {} })).map(({ symbol }) => ({ path: `/price/${symbol}`, locales: LOCALES }));

/** The pages of their list. */
export async function priceListPaths(api: Api): Promise<Listed[]> {
  const { coins } = await loadPriceList(api);
  return Array.from({ length: pagesOf(coins.length) }, (_, index) => ({ path: pagePath(index + 1), locales: LOCALES }));
}
