import type { PairList } from "#contract/instrument.ts";
import type { Api } from "#contract/site/ssr.ts";

export type WidgetCoin = { readonly slug: string; readonly name: string };

/** What the configurator offers. */
export type WidgetPageData = {
  readonly coins: readonly WidgetCoin[];
  readonly pairs: PairList;
  readonly first: { readonly from: string; readonly to: string };
};

export async function loadWidgetPage(api: Api): Promise<WidgetPageData> {
  const [instruments, pairs, { instrumentFrom, instrumentTo }] = await Promise.all([
    api.call("instruments", {}),
    api.call("pairs"),
    api.call("defaultPair"),
  ]);
  const coins = instruments.map(({ slug, currencyTitle, networkFriendlyTitle }) => ({
    slug,
    name: `${currencyTitle} · ${networkFriendlyTitle}`,
  }));
  return { coins, pairs, first: { from: instrumentFrom.slug, to: instrumentTo.slug } };
}
