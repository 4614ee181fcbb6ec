import type { Api } from "#contract/ssr.ts";
import { type CalculatorData, loadCalculator, loadExchange } from "../../features/exchange/load.ts";
import { openingPair } from "../../features/widget/model/opening-pair.ts";
import type { WidgetSettings } from "../../features/widget/model/widget-settings.ts";
import { limitedApi } from "./limited-api.ts";

/** The calculator that a widget opens with. */
export async function loadEmbed(settings: WidgetSettings, api: Api): Promise<CalculatorData> {
  const limited = limitedApi(api, settings.pairs);
  const [pairs, { instrumentFrom, instrumentTo }] = await Promise.all([
    limited.call("pairs"),
    limited.call("defaultPair"),
  ]);
  const { from, to } = openingPair(pairs, settings, { from: instrumentFrom.slug, to: instrumentTo.slug });
  const query = new URLSearchParams({ send: from, receive: to });
  if (settings.amount !== null) query.set("amount", settings.amount);
  if (settings.ref !== null) query.set("ref", settings.ref);
  return loadCalculator({ query, api: limited });
}

/** The calculator of a pair, as an order leads back to it; the widget's own for a pair that it doesn't have. */
export async function loadPair(
  pair: string,
  query: URLSearchParams,
  settings: WidgetSettings,
  api: Api,
): Promise<CalculatorData> {
  const loaded = await loadExchange({ params: { pair }, query, api: limitedApi(api, settings.pairs) });
  return loaded.kind === "page" ? loaded.data : loadEmbed(settings, api);
}
