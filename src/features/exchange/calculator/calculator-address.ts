import { formatPairSlug } from "#contract/pair-slug.ts";
import { type CalculatorSettings, writeCalculatorQuery } from "../model/page-query.ts";

/** The exchange page with what the calculator holds, so that Back and a shared link find it again. */
export function exchangePath(settings: CalculatorSettings, step?: "destination"): string {
  const query = writeCalculatorQuery(settings);
  if (step !== undefined) query.set("step", step);
  return `/exchange-${formatPairSlug(settings)}${queryText(query)}`;
}

/** The home page with what the calculator holds (spec §3: `send`, `receive`, `amount`). */
export function homePath(settings: CalculatorSettings): string {
  const query = new URLSearchParams({ send: settings.from, receive: settings.to });
  for (const [name, value] of writeCalculatorQuery(settings)) query.set(name, value);
  return `/${queryText(query)}`;
}

const queryText = (query: URLSearchParams): string => (query.size === 0 ? "" : `?${query.toString()}`);
