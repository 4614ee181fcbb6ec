import type { Api } from "#contract/ssr.ts";
import { parsePairSlug } from "#contract/pair-slug.ts";
import type { Loaded, LoadInput } from "../../shared/page/page-context.ts";
import { exchangePath } from "./calculator/calculator-address.ts";
import { namesAmount, readCalculatorQuery } from "./model/page-query.ts";
import { openCalculator } from "./opening.ts";
import type { Catalogue, Opening } from "./store/state.ts";

/** What a calculator opens with: nothing is missing in its first paint. */
export type CalculatorData = { readonly catalogue: Catalogue; readonly opening: Opening };

/** For the home page: the pair of the query (`send`, `receive`), else the server's default. */
export async function loadCalculator({ query, api }: Pick<LoadInput, "query" | "api">): Promise<CalculatorData> {
  const [catalogue, { instrumentFrom, instrumentTo }] = await Promise.all([
    loadCatalogue(api),
    api.call("defaultPair"),
  ]);
  const pair = { from: instrumentFrom.slug, to: instrumentTo.slug };
  const settings = readCalculatorQuery(query, pair, catalogue.instruments);
  return { catalogue, opening: await openCalculator(catalogue, settings, namesAmount(query), api) };
}

/** For `/exchange-{pair}`: an unknown pair is not found, `send` and `receive` lead to the pair that they name (spec §3). */
export async function loadExchange({ params, query, api }: LoadInput): Promise<Loaded<CalculatorData>> {
  const catalogue = await loadCatalogue(api);
  const pair = parsePairSlug(params["pair"] ?? "", slugsOf(catalogue));
  if (pair === null) return { kind: "notFound" };
  const settings = readCalculatorQuery(query, pair, catalogue.instruments);
  if (settings.from !== pair.from || settings.to !== pair.to)
    return { kind: "redirect", to: exchangePath(settings, stepOf(query)) };
  const opening = await openCalculator(catalogue, settings, namesAmount(query), api);
  return { kind: "page", data: { catalogue, opening } };
}

/** Which part of the exchange page an address shows. */
export const stepOf = (query: URLSearchParams): "destination" | undefined =>
  query.get("step") === "destination" ? "destination" : undefined;

async function loadCatalogue(api: Api): Promise<Catalogue> {
  const [instruments, pairs] = await Promise.all([
    api.call("instruments", { query: { all: "true" } }),
    api.call("pairs"),
  ]);
  return { instruments, pairs };
}

const slugsOf = ({ instruments }: Catalogue): ReadonlySet<string> => new Set(instruments.map(({ slug }) => slug));
