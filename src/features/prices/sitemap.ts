import type { Api } from "#contract/site/ssr.ts";
import { LOCALES, type Locale } from "../../shared/i18n/locale.ts";

/** The pages of all coins. */
export const coinPaths = async (api: Api): Promise<{ path: string; locales: readonly Locale[] }[]> =>
  (await api.call("prices", { query: {} })).map(({ symbol }) => ({ path: `/price/${symbol}`, locales: LOCALES }));
