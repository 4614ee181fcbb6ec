import { formatPairSlug } from "#contract/links/pair-slug.ts";
import type { Api } from "#contract/site/ssr.ts";
import { type CalculatorData, loadCalculator, loadExchange } from "../../features/exchange/load.ts";
import { openingPair } from "../../features/widget/model/opening-pair.ts";
import type { WidgetSettings } from "../../features/widget/model/widget-settings.ts";
import { limitedApi } from "./limited-api.ts";

/** The calculator that a widget opens with. */
export async function loadEmbed(settings: WidgetSettings, api: Api): Promise<CalculatorData> {
  const limited = limitedApi(api, settings.pairs);
  const { from, to } = (await openingOf(settings, limited)).pair;
  const query = withSite(new URLSearchParams({ send: from, receive: to }), settings, true);
  return loadCalculator({ query, api: limited });
}

/**
 * The calculator of a pair, as an order leads back to it, with what the site set; its amount counts the coin that the widget opened with.
 * The widget's own calculator for a pair that it doesn't have.
 */
export async function loadPair(
  pair: string,
  query: URLSearchParams,
  settings: WidgetSettings,
  api: Api,
): Promise<CalculatorData> {
  const limited = limitedApi(api, settings.pairs);
  const { pairs, pair: own } = await openingOf(settings, limited);
  const isOfSite = pairs.some(
    ({ from, to }) => from === own.from && to.some((slug) => formatPairSlug({ from, to: slug }) === pair),
  );
  const loaded = await loadExchange({ params: { pair }, query: withSite(query, settings, isOfSite), api: limited });
  return loaded.kind === "page" ? loaded.data : loadEmbed(settings, api);
}

async function openingOf(settings: WidgetSettings, limited: Api) {
  const [pairs, { instrumentFrom, instrumentTo }] = await Promise.all([
    limited.call("pairs"),
    limited.call("defaultPair"),
  ]);
  return { pairs, pair: openingPair(pairs, settings, { from: instrumentFrom.slug, to: instrumentTo.slug }) };
}

/** The query with the site's referrer and, where it names none itself, the site's amount. */
function withSite(query: URLSearchParams, { amount, ref }: WidgetSettings, hasAmount: boolean): URLSearchParams {
  const given = new URLSearchParams(query);
  if (hasAmount && amount !== null && !given.has("amount")) given.set("amount", amount);
  if (ref !== null) given.set("ref", ref);
  return given;
}
