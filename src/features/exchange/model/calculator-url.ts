import type { Instrument } from "#contract/instrument.ts";
import type { RateMode } from "#contract/rate.ts";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
import { DEFAULT_AMOUNTS, kindOf } from "./kind.ts";
import { canonicalAmount, cleanAmount } from "../../../shared/format/amount-input.ts";

export type Side = "from" | "to";

/** What a calculator reads from its address. */
export type CalculatorSettings = {
  from: string;
  to: string;
  amount: string;
  side: Side;
  rateMode: RateMode;
  ref: string | null;
};

type KnownInstrument = Pick<Instrument, "slug" | "instrumentType">;

const PLAIN_NUMBER = /^\d+(?:[.,]\d+)?$/;
/** More digits than any amount has; a longer one is not an amount. */
const MAX_LENGTH = 40;
const REFERRER_LENGTH = 128;

/**
 * Reads `send`, `receive`, `amount`, `coin`, `ref` (spec §3) and the calculator's own `mode`; `coin` is the slug of the
 * side that `amount` counts. What is not valid is left at the pair and the defaults.
 */
export function readCalculatorQuery(
  query: URLSearchParams,
  pair: { from: string; to: string },
  instruments: readonly KnownInstrument[],
): CalculatorSettings {
  const { from, to } = readPair(query, pair, instruments);
  const typeOf = (slug: string) => instruments.find((instrument) => instrument.slug === slug);
  const kind = kindOf(typeOf(from), typeOf(to));
  return {
    from,
    to,
    amount: readAmount(query.get("amount")) ?? DEFAULT_AMOUNTS[kind],
    side: query.get("coin")?.toLowerCase() === to && namesAmount(query) ? "to" : "from",
    rateMode: kind === "exchange" && query.get("mode")?.toUpperCase() === "FIXED" ? "FIXED" : "FLOATING",
    ref: readReferrer(query.get("ref")),
  };
}

/** Whether the address asks for an amount of its own; the default one gives way to the pair's bounds. */
export const namesAmount = (query: URLSearchParams): boolean => readAmount(query.get("amount")) !== null;

/** The query that brings a calculator back to these settings; the defaults are left out. */
function writeCalculatorQuery({ to, amount, side, rateMode, ref }: CalculatorSettings): URLSearchParams {
  const query = new URLSearchParams();
  if (amount !== "") query.set("amount", amount);
  if (side === "to") query.set("coin", to);
  if (rateMode === "FIXED") query.set("mode", "fixed");
  if (ref !== null) query.set("ref", ref);
  return query;
}

function readPair(
  query: URLSearchParams,
  pair: { from: string; to: string },
  instruments: readonly KnownInstrument[],
): { from: string; to: string } {
  const named = (name: string, otherwise: string): string => {
    const slug = query.get(name)?.toLowerCase();
    return instruments.find((instrument) => instrument.slug === slug)?.slug ?? otherwise;
  };
  const asked = { from: named("send", pair.from), to: named("receive", pair.to) };
  return asked.from === asked.to ? pair : asked;
}

function readAmount(text: string | null): string | null {
  if (text === null || text.length > MAX_LENGTH || !PLAIN_NUMBER.test(text)) return null;
  const amount = cleanAmount(text);
  return canonicalAmount(amount, MAX_LENGTH) === "" ? null : amount;
}

/** Which part of the exchange page an address shows. */
export const stepOf = (query: URLSearchParams): "destination" | undefined =>
  query.get("step") === "destination" ? "destination" : undefined;

const readReferrer = (text: string | null): string | null =>
  text !== null && text !== "" && text.length <= REFERRER_LENGTH ? text : null;

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
