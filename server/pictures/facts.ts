import type { Locale } from "#contract/locale.ts";
import { parsePairSlug } from "#contract/links/pair-slug.ts";
import { fixedT } from "../base/i18n.ts";
import type { Catalogue, CatalogueInstrument } from "../catalogue/index.ts";

/** What a page's picture shows. */
export type PictureFacts = {
  readonly label: string;
  readonly title: string;
  readonly lead: string;
  /** Tickers of the coins that are drawn, the second one behind an arrow. */
  readonly coins: readonly string[];
};

/** Title and description of a published article; null where the language has none. */
export type ArticleTexts = (
  section: "blog" | "docs",
  locale: Locale,
  slug: string,
) => Promise<{ readonly title: string; readonly description: string } | null>;

export type PictureSources = { readonly catalogue: Catalogue; readonly article: ArticleTexts };

/** The facts of a page of ours, such as `exchange-eth-btc`, `price/eth` or `docs/fees`; null where it has no picture of its own. */
export async function pictureFacts(
  { catalogue, article }: PictureSources,
  locale: Locale,
  page: string,
): Promise<PictureFacts | null> {
  const pair = /^exchange-([^/]+)$/.exec(page)?.[1];
  if (pair !== undefined) return pairFacts(catalogue, locale, pair);
  const [, symbol] = /^price\/([^/]+)$/.exec(page) ?? [];
  if (symbol !== undefined) return priceFacts(catalogue, locale, symbol);
  const [, section, slug = ""] = /^(blog|docs)\/(.+)$/.exec(page) ?? [];
  if (section !== "blog" && section !== "docs") return null;
  const found = await article(section, locale, slug);
  if (found === null) return null;
  const label = fixedT(locale, "pictures")(`${section}.label`);
  return { label, title: found.title, lead: found.description, coins: [] };
}

function pairFacts(catalogue: Catalogue, locale: Locale, slug: string): PictureFacts | null {
  const pair = parsePairSlug(slug, catalogue.slugs);
  const from = pair && catalogue.instruments.get(pair.from);
  const to = pair && catalogue.instruments.get(pair.to);
  if (!from || !to || !catalogue.isPairActive(from.slug, to.slug)) return null;
  const t = fixedT(locale, "pictures");
  const [fromName, toName] = [from.currencyFriendlyTitle, to.currencyFriendlyTitle];
  const lead = t("pair.lead", { fromName: nameOf(from, fromName === toName), toName: nameOf(to, fromName === toName) });
  return {
    label: t("pair.label"),
    title: `${from.currencyTitle} – ${to.currencyTitle}`,
    lead,
    coins: [from.currencyTitle, to.currencyTitle],
  };
}

/** Of a coin that is exchanged for itself, its network says more. */
const nameOf = (one: CatalogueInstrument, isSameCoin: boolean): string =>
  isSameCoin ? `${one.currencyFriendlyTitle} (${one.networkFriendlyTitle})` : one.currencyFriendlyTitle;

function priceFacts(catalogue: Catalogue, locale: Locale, symbol: string): PictureFacts | null {
  const coin = [...catalogue.instruments.values()].find(
    (one) => one.isActive && one.instrumentType === "other" && one.currencyTitle.toLowerCase() === symbol,
  );
  if (coin === undefined) return null;
  const t = fixedT(locale, "pictures");
  return {
    label: t("price.label"),
    title: coin.currencyFriendlyTitle,
    lead: t("price.lead"),
    coins: [coin.currencyTitle],
  };
}
