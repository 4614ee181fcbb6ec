import { THEMES, type Theme } from "../../../shared/browser/theme.ts";
import { type Locale, toLocale } from "#contract/locale.ts";
import { type Hex, parseColour, toHex } from "../../../shared/ui/graphics/colour.ts";

/** What `/embed` reads from its query (contract §14). */
export type WidgetSettings = {
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: string | null;
  /** The referrer of the orders that are made in it. */
  readonly ref: string | null;
  readonly theme: Theme;
  readonly accent: Hex | null;
  readonly lang: Locale;
  readonly isCompact: boolean;
  /** Pairs as `eth-btc`, which it is limited to; all of them where none is named. */
  readonly pairs: readonly string[];
  /** The only page that it tells anything. */
  readonly parentOrigin: string | null;
};

const SLUG = /^[a-z0-9-]{1,40}$/;
const AMOUNT = /^\d{1,20}(?:[.,]\d{1,18})?$/;
const REFERRER_LENGTH = 128;
const MAX_PAIRS = 100;

/** Reads the query of `/embed`; what is not valid is left out, as if it had not been given. */
export function readWidgetQuery(query: URLSearchParams): WidgetSettings {
  const text = (name: string): string => query.get(name)?.trim() ?? "";
  const slug = (name: string) => matching(text(name).toLowerCase(), SLUG);
  const ref = text("ref");
  const accent = parseColour(longHex(text("accent")));
  return {
    from: slug("from"),
    to: slug("to"),
    amount: matching(text("amount"), AMOUNT),
    ref: ref !== "" && ref.length <= REFERRER_LENGTH ? ref : null,
    theme: THEMES.find((theme) => theme === text("theme")) ?? "system",
    accent: accent === null ? null : toHex(accent),
    lang: toLocale(text("lang")),
    isCompact: /^(?:1|true|compact)$/.test(text("compact")),
    pairs: readPairs(text("pairs")),
    parentOrigin: readOrigin(text("parentOrigin")),
  };
}

/** The query that reads as these settings; the defaults are left out, but for the language: an element without one has its page's. */
export function writeWidgetQuery(settings: Partial<WidgetSettings>): URLSearchParams {
  const { from, to, amount, ref, theme, accent, lang, isCompact, pairs, parentOrigin } = settings;
  const query = new URLSearchParams();
  const add = (name: string, value: string | null | undefined) => {
    if (value) query.set(name, value);
  };
  add("from", from);
  add("to", to);
  add("amount", amount);
  add("ref", ref);
  add("theme", theme === "system" ? null : theme);
  add("accent", accent?.slice(1));
  add("lang", lang);
  add("compact", isCompact ? "1" : null);
  add("pairs", pairs?.join(","));
  add("parentOrigin", parentOrigin);
  return query;
}

const matching = (text: string, pattern: RegExp): string | null => (pattern.test(text) ? text : null);

/** `#0af` is `#00aaff`. */
const longHex = (text: string): string => text.replace(/^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i, "#$1$1$2$2$3$3");

function readPairs(text: string): string[] {
  const named = text
    .toLowerCase()
    .split(",")
    .map((pair) => pair.trim());
  return [...new Set(named.filter((pair) => SLUG.test(pair)))].slice(0, MAX_PAIRS);
}

/** An origin and nothing else: a wildcard, a path or `null` would send to unknown pages. */
function readOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin, protocol } = new URL(text);
  return origin === text && /^https?:$/.test(protocol) && !text.includes("*") ? origin : null;
}
