import { escapeMarkup } from "#contract/site/escape-markup.ts";
import { type I18n, localeOf } from "../../shared/i18n/create-i18n.ts";
import { LOCALES, type Locale, localePath } from "#contract/locale.ts";
import { describeError } from "../router/page-error.ts";
import type { HeadTexts } from "../router/define-page.ts";
import type { PageView } from "../router/page-view.ts";
import type { Route } from "../router/route-table.ts";

export type HeadTag = {
  readonly tag: "title" | "meta" | "link";
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
};

export type HeadInput = {
  readonly view: PageView;
  readonly i18n: I18n;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly origin: string;
};

const OPEN_GRAPH_LOCALES: Record<Locale, string> = { en: "en_US", ru: "ru_RU" };
const ATOM = "application/atom+xml";

/**
 * The head of a page: title, description, canonical, alternates, Open Graph and Twitter cards (spec §2). Error pages and pages
 * that stand for something missing have no canonical URL.
 */
export function headTags(input: HeadInput): HeadTag[] {
  const { title, description, openGraph, twitter } = seoTexts(input) ?? asCards(headTexts(input));
  const { view, i18n, origin } = input;
  const locale = localeOf(i18n);
  const isCanonical = view.kind === "page" && view.status === 200;
  const picture = { url: pictureUrl(input), alt: openGraph["title"] ?? title };
  const shared: HeadTag[] = [
    { tag: "title", attributes: {}, text: title },
    meta("name", "description", description),
    ...cardOf("property", "og", openGraph),
    meta("property", "og:site_name", "Wherry"),
    ...typeOf(input),
    meta("property", "og:locale", OPEN_GRAPH_LOCALES[locale]),
    meta("property", "og:image", picture.url),
    meta("property", "og:image:alt", picture.alt),
    meta("property", "og:image:width", "1200"),
    meta("property", "og:image:height", "630"),
    meta("name", "twitter:card", "summary_large_image"),
    ...cardOf("name", "twitter", twitter),
    meta("name", "twitter:image", picture.url),
    meta("name", "twitter:image:alt", picture.alt),
  ];
  const noindex = meta("name", "robots", "noindex");
  if (!isCanonical) return [...shared, noindex];
  const { locales = LOCALES, isIndexed = true, feed } = view.module.head(view.data, i18n.getFixedT(null, "common"));
  const robots = view.route.isIndexed && isIndexed ? [] : [noindex];
  const urlIn = (of: Locale) => origin + localePath(of, input.path) + identifyingQuery(view.route, input.query);
  return [
    ...shared,
    ...robots,
    meta("property", "og:url", urlIn(locale)),
    link({ rel: "canonical", href: urlIn(locale) }),
    ...locales.map((of) => link({ rel: "alternate", hreflang: of, href: urlIn(of) })),
    ...(locales.includes("en") ? [link({ rel: "alternate", hreflang: "x-default", href: urlIn("en") })] : []),
    ...(feed === undefined ? [] : [link({ rel: "alternate", type: ATOM, href: origin + localePath(locale, feed) })]),
  ];
}

/** What a page is, as Open Graph names it. */
function typeOf({ view, i18n }: HeadInput): HeadTag[] {
  const { article } = view.kind === "page" ? view.module.head(view.data, i18n.getFixedT(null, "common")) : {};
  if (article === undefined) return [meta("property", "og:type", "website")];
  const { publishedAt, updatedAt } = article;
  return [
    meta("property", "og:type", "article"),
    meta("property", "article:published_time", publishedAt),
    ...(updatedAt === null ? [] : [meta("property", "article:modified_time", updatedAt)]),
  ];
}

/** The preview picture: one of the page's own facts, or the name of the site. */
export function pictureUrl({ view, i18n, path, origin }: HeadInput): string {
  const isOwn =
    view.kind === "page" &&
    view.status === 200 &&
    view.module.head(view.data, i18n.getFixedT(null, "common")).hasPicture;
  return isOwn ? `${origin}/pictures/${localeOf(i18n)}${path}.png` : `${origin}/icons/card.png`;
}

/** The query parameters that identify the page: an order needs its destination address. */
function identifyingQuery({ dataQuery }: Route, query: URLSearchParams): string {
  // The first of several counts, as for the page itself.
  const identifying = new URLSearchParams(
    dataQuery.flatMap((name): [string, string][] => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return identifying.size === 0 ? "" : `?${identifying}`;
}

type Card = Readonly<Record<string, string>>;
type AllTexts = {
  readonly title: string;
  readonly description: string;
  readonly openGraph: Card;
  readonly twitter: Card;
};

/** The fetched texts (spec §2, guard 5) filled with the page's values; null for a page without. */
function seoTexts({ view, i18n }: HeadInput): AllTexts | null {
  if (view.kind !== "page") return null;
  const textOf = (key: string) =>
    (i18n.getResource(i18n.language, "seo", `${view.route.name}.${key}`) as string | undefined) ?? null;
  const [title, description, openGraph, twitter] = [
    textOf("title"),
    textOf("description"),
    parseTags(textOf("openGraph") ?? ""),
    parseTags(textOf("twitter") ?? ""),
  ];
  if (title === null || description === null || openGraph === null || twitter === null) return null;
  const { values = {} } = view.module.head(view.data, i18n.getFixedT(null, "common"));
  const fill = (text: string) => i18n.services.interpolator.interpolate(text, values, i18n.language, {});
  const filled = (card: Card) => Object.fromEntries(Object.entries(card).map(([name, text]) => [name, fill(text)]));
  return {
    title: fill(title),
    description: fill(description),
    openGraph: filled(openGraph),
    twitter: filled(twitter),
  };
}

const asCards = ({ title, description }: HeadTexts): AllTexts => {
  const card = { title, description };
  return { ...card, openGraph: card, twitter: card };
};

const cardOf = (key: "name" | "property", kind: "og" | "twitter", card: Card): HeadTag[] =>
  Object.entries(card).map(([name, text]) => meta(key, `${kind}:${name}`, text));

function headTexts({ view, i18n }: HeadInput): HeadTexts {
  const t = i18n.getFixedT(null, "common");
  if (view.kind === "page") return view.module.head(view.data, t);
  if (view.kind === "notFound") return { title: t("notFound.headTitle"), description: t("head.description") };
  const { isUnreachable } = describeError(view.error);
  const title = isUnreachable ? `${t("failed.offlineTitle")} · Wherry` : t("failed.headTitle");
  return { title, description: t("head.description") };
}

const meta = (key: "name" | "property", name: string, content: string): HeadTag => ({
  tag: "meta",
  attributes: { [key]: name, content },
});
const link = (attributes: Record<string, string>): HeadTag => ({ tag: "link", attributes });

/** Marks our own tags, so that a navigation inside the app can replace them. */
const MARKER = "data-head";

/** The tags as HTML, for server rendering. */
export function renderHead(tags: readonly HeadTag[]): string {
  return tags
    .map(({ tag, attributes, text }) => {
      const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`);
      const opening = `<${tag}${written.join("")} ${MARKER}>`;
      return text === undefined ? opening : `${opening}${escapeMarkup(text)}</${tag}>`;
    })
    .join("");
}

/** Replaces the last page's tags in the document's head. */
export function applyHead(tags: readonly HeadTag[]): void {
  for (const old of document.head.querySelectorAll(`[${MARKER}], title`)) old.remove();
  for (const { tag, attributes, text } of tags) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.setAttribute(MARKER, "");
    if (text !== undefined) element.textContent = text;
    document.head.append(element);
  }
}

/** A card's texts from their JSON; null unless it is an object of strings. */
export function parseTags(json: string): Card | null {
  try {
    const tags: unknown = JSON.parse(json);
    if (typeof tags !== "object" || tags === null || Array.isArray(tags)) return null;
    return Object.values(tags).every((text) => typeof text === "string") ? (tags as Record<string, string>) : null;
  } catch {
    // Not JSON: the caller reports which key it was.
    return null;
  }
}
