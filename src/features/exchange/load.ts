import type { Api } from "#contract/site/ssr.ts";
import { parsePairSlug } from "#contract/links/pair-slug.ts";
import type { PairData } from "#contract/rate.ts";
import { compareDecimals } from "#contract/money.ts";
import type { Loaded, LoadInput } from "../../shared/page/page-context.ts";
import {
  exchangePath,
  namesAmount,
  readCalculatorQuery,
  stepOf,
  type CalculatorSettings,
} from "./model/calculator-url.ts";
import { isFiat, kindOf } from "./model/kind.ts";
import type { Catalogue, Opening } from "./store/state.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { type RateFailure, readRateFailure } from "./model/rate-failure.ts";
import { instrumentOf, isPairOffered, rateRequest } from "./store/selectors.ts";
import type { Instrument, PairList } from "#contract/instrument.ts";

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

async function loadCatalogue(api: Api): Promise<Catalogue> {
  const [instruments, pairs, byCard] = await Promise.all([
    api.call("instruments", { query: { all: "true" } }),
    api.call("pairs"),
    api.call("instruments", { query: { providers: CARD_PROVIDER } }),
  ]);
  const fiat = new Map(byCard.filter(isFiat).map((one) => [one.slug, one]));
  return { instruments: instruments.map((one) => fiat.get(one.slug) ?? one), pairs: withCardPairs(pairs, byCard) };
}

const slugsOf = ({ instruments }: Catalogue): ReadonlySet<string> => new Set(instruments.map(({ slug }) => slug));

/** A rate for an amount, or why there is none. */
type First = { amount: string; rate: PairData | RateFailure | null };

/** The first rate of a calculator; where a fixed one is refused, the floating one (spec §8). */
async function openCalculator(
  catalogue: Catalogue,
  settings: CalculatorSettings,
  isAmountNamed: boolean,
  api: Api,
): Promise<Opening> {
  const first = isAmountNamed ? namedAmount : defaultAmount;
  const asked = await first(catalogue, settings, api);
  const isFixedRefused = asked.rate !== null && !isRate(asked.rate) && asked.rate.kind === "fixed-unavailable";
  const shown: CalculatorSettings = isFixedRefused ? { ...settings, rateMode: "FLOATING" } : settings;
  const { amount, rate } = isFixedRefused ? await first(catalogue, shown, api) : asked;
  const failure = rate !== null && !isRate(rate) ? rate : null;
  return {
    ...settings,
    amount,
    firstRate: failure === null ? (rate as PairData | null) : await rateAtBound(catalogue, shown, failure, api),
    firstFailure: failure,
    isFixedRefused,
  };
}

/** What the pair's rate is where only the amount was refused: that of the bound it breaks. */
async function rateAtBound(
  catalogue: Catalogue,
  settings: CalculatorSettings,
  failure: RateFailure,
  api: Api,
): Promise<PairData | null> {
  if (failure.kind !== "too-small" && failure.kind !== "too-big") return null;
  const side = failure.slug === settings.to ? "to" : "from";
  const { rate } = await namedAmount(catalogue, { ...settings, side, amount: failure.expected }, api);
  return rate !== null && isRate(rate) ? rate : null;
}

const isRate = (rate: PairData | RateFailure): rate is PairData => "amountToGet" in rate;

async function namedAmount(catalogue: Catalogue, settings: CalculatorSettings, api: Api): Promise<First> {
  const request = rateRequest(catalogue, settings);
  const rate = request === null ? null : await orFailure(() => api.call("rate", { query: request }), settings);
  return { amount: settings.amount, rate };
}

/**
 * The default amount where the pair takes it, else the recommended one, whose rate tells the bounds: nothing is asked
 * for in vain.
 */
async function defaultAmount(catalogue: Catalogue, settings: CalculatorSettings, api: Api): Promise<First> {
  const { from, to, amount, rateMode } = settings;
  if (!isPairOffered(catalogue, from, to)) return { amount, rate: null };
  const [sent, got] = [instrumentOf(catalogue, from), instrumentOf(catalogue, to)];
  if (kindOf(sent, got) !== "exchange") return defaultCardAmount(catalogue, settings, api);
  const query = {
    instrumentFromCurrencyTitle: sent.currencyTitle,
    instrumentFromNetworkTitle: sent.networkTitle,
    instrumentToCurrencyTitle: got.currencyTitle,
    instrumentToNetworkTitle: got.networkTitle,
    rateMode,
  };
  const recommended = await orFailure(() => api.call("recommendedAmount", { query }), settings);
  if (!("recommendedAmount" in recommended)) return { amount, rate: recommended };
  const first = await namedAmount(catalogue, { ...settings, amount: recommended.recommendedAmount }, api);
  const isDefaultTaken = first.rate !== null && isRate(first.rate) && takes(first.rate, amount);
  return isDefaultTaken && first.amount !== amount ? namedAmount(catalogue, settings, api) : first;
}

/** The default of a purchase or a sale, else the bound that it breaks. */
async function defaultCardAmount(catalogue: Catalogue, settings: CalculatorSettings, api: Api): Promise<First> {
  const first = await namedAmount(catalogue, settings, api);
  if (first.rate === null || !("expected" in first.rate)) return first;
  return namedAmount(catalogue, { ...settings, amount: first.rate.expected }, api);
}

const takes = ({ depositRules: { minAmount, maxAmount } }: PairData, amount: string): boolean =>
  compareDecimals(amount, minAmount) >= 0 && (maxAmount === null || compareDecimals(amount, maxAmount) <= 0);

async function orFailure<Answer>(
  asking: () => Promise<Answer>,
  { rateMode }: CalculatorSettings,
): Promise<Answer | RateFailure> {
  try {
    return await asking();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return readRateFailure({ code: error.code, data: error.data }, rateMode);
  }
}

/** The provider of cards, as the instruments call names it (spec §7). */
const CARD_PROVIDER = "mercuryo";

/**
 * The pairs of coins, and those of what a card provider trades: each of its currencies with each of its coins, both ways.
 *
 * @internal Exported for its tests.
 */
export function withCardPairs(
  pairs: PairList,
  byCard: readonly Pick<Instrument, "slug" | "instrumentType">[],
): PairList {
  const money = byCard.filter(isFiat).map(({ slug }) => slug);
  const coins = byCard.filter((one) => !isFiat(one)).map(({ slug }) => slug);
  if (money.length === 0 || coins.length === 0) return pairs;
  const sold = new Set(coins);
  const known = new Set(pairs.map(({ from }) => from));
  return [
    ...pairs.map(({ from, to }) => (sold.has(from) ? { from, to: [...to, ...money] } : { from, to })),
    ...coins.flatMap((from) => (known.has(from) ? [] : [{ from, to: money }])),
    ...money.map((from) => ({ from, to: coins })),
  ];
}
