import type { Api } from "#contract/site/ssr.ts";
import { loadOrder } from "../../features/order/load.ts";
import { partsOf } from "../../features/order/page/order-parts.ts";
import type { WidgetSettings } from "../../features/widget/model/widget-settings.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import type { EmbedScreen } from "./embed-data.ts";
import { embedOrder } from "./embed-parts.ts";
import { loadEmbed, loadPair } from "./load-embed.ts";

/** Loads the screen of a location of the widget, with the code that its first render needs. */
export async function loadScreen(
  location: { readonly path: string; readonly search: string },
  { widget, api, i18n }: { readonly widget: WidgetSettings; readonly api: Api; readonly i18n: I18n },
): Promise<EmbedScreen> {
  const query = new URLSearchParams(location.search);
  const now = () => new Date().toISOString();
  const [, place, name = ""] = /^\/(order\/|exchange-)([^/]+)$/.exec(location.path) ?? [];
  if (place === undefined) return { kind: "calculator", data: await loadEmbed(widget, api), now: now() };
  if (place === "exchange-") return { kind: "calculator", data: await loadPair(name, query, widget, api), now: now() };
  await embedOrder.preload(i18n);
  const loaded = await loadOrder({ params: { id: decodeURIComponent(name) }, query, api });
  if (loaded.kind !== "page") throw new Error("an order's page was not found");
  await Promise.all(partsOf(loaded.data).map((part) => part.preload(i18n)));
  return { kind: "order", key: `${name}?${location.search}`, data: loaded.data, now: now() };
}
