import { fill, type Translator } from "../../shared/i18n/translator.ts";
import { LOCALES, type Locale, localePath } from "../../shared/i18n/locale.ts";
import { describeFailure } from "../failure.ts";
import type { HeadWords } from "../router/page-module.ts";
import type { Shown } from "../router/resolve.ts";
import type { Route } from "../router/route-table.ts";
import { parseTags } from "./seo-tags.ts";

export type HeadTag = {
  readonly tag: "title" | "meta" | "link";
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
};

export type HeadInput = {
  readonly shown: Shown;
  readonly words: Translator;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly origin: string;
};

/**
 * Everything that the head says about a page: title, description, canonical, alternates, Open Graph and Twitter cards (spec §2).
 * What is no page, or one that is not what was asked for, has no address of its own.
 */
export function headTags(input: HeadInput): HeadTag[] {
  const { title, description, openGraph, twitter } = seoWords(input) ?? asCards(headWords(input));
  const { shown, words, origin } = input;
  const { locale } = words;
  const isThere = shown.kind === "page" && shown.status === 200;
  const shared: HeadTag[] = [
    { tag: "title", attributes: {}, text: title },
    meta("name", "description", description),
    ...cardOf("property", "og", openGraph),
    meta("property", "og:site_name", "Wherry"),
    meta("property", "og:type", "website"),
    meta("property", "og:locale", locale === "ru" ? "ru_RU" : "en_US"),
    meta("property", "og:image", `${origin}/icons/card.png`),
    meta("property", "og:image:width", "1200"),
    meta("property", "og:image:height", "630"),
    meta("name", "twitter:card", "summary_large_image"),
    ...cardOf("name", "twitter", twitter),
    meta("name", "twitter:image", `${origin}/icons/card.png`),
  ];
  const robots = isThere && shown.route.isIndexed ? [] : [meta("name", "robots", "noindex")];
  if (!isThere) return [...shared, ...robots];
  const addressIn = (of: Locale) => origin + localePath(of, input.path) + keptQuery(shown.route, input.query);
  return [
    ...shared,
    ...robots,
    meta("property", "og:url", addressIn(locale)),
    link({ rel: "canonical", href: addressIn(locale) }),
    ...LOCALES.map((of) => link({ rel: "alternate", hreflang: of, href: addressIn(of) })),
    link({ rel: "alternate", hreflang: "x-default", href: addressIn("en") }),
  ];
}

/** What of the query makes it this page: an order is nothing without its destination address. */
function keptQuery({ dataQuery }: Route, query: URLSearchParams): string {
  const kept = new URLSearchParams([...query].filter(([name]) => dataQuery.includes(name)));
  return kept.size === 0 ? "" : `?${kept}`;
}

type Card = Readonly<Record<string, string>>;
type AllWords = {
  readonly title: string;
  readonly description: string;
  readonly openGraph: Card;
  readonly twitter: Card;
};

/** The fetched texts (spec §2, guard 5) with the page's own values in them; null for a page without. */
function seoWords({ shown, words }: HeadInput): AllWords | null {
  if (shown.kind !== "page") return null;
  const textOf = (key: string) => words.optional("seo", `${shown.route.name}.${key}`);
  const [title, description, openGraph, twitter] = [
    textOf("title"),
    textOf("description"),
    parseTags(textOf("openGraph") ?? ""),
    parseTags(textOf("twitter") ?? ""),
  ];
  if (title === null || description === null || openGraph === null || twitter === null) return null;
  const { values = {} } = shown.module.head(shown.data, words.of("common"));
  const filled = (card: Card) =>
    Object.fromEntries(Object.entries(card).map(([name, text]) => [name, fill(text, values)]));
  return {
    title: fill(title, values),
    description: fill(description, values),
    openGraph: filled(openGraph),
    twitter: filled(twitter),
  };
}

const asCards = ({ title, description }: HeadWords): AllWords => {
  const card = { title, description };
  return { ...card, openGraph: card, twitter: card };
};

const cardOf = (key: "name" | "property", kind: "og" | "twitter", card: Card): HeadTag[] =>
  Object.entries(card).map(([name, text]) => meta(key, `${kind}:${name}`, text));

function headWords({ shown, words }: HeadInput): HeadWords {
  const t = words.of("common");
  if (shown.kind === "page") return shown.module.head(shown.data, t);
  if (shown.kind === "notFound") return { title: t("notFound.headTitle"), description: t("head.description") };
  const { isUnreachable } = describeFailure(shown.error);
  const title = isUnreachable ? `${t("failed.offlineTitle")} · Wherry` : t("failed.headTitle");
  return { title, description: t("head.description") };
}

const meta = (key: "name" | "property", name: string, content: string): HeadTag => ({
  tag: "meta",
  attributes: { [key]: name, content },
});
const link = (attributes: Record<string, string>): HeadTag => ({ tag: "link", attributes });

/** Marks what this file put into the head, so that a move inside the app can replace it. */
const OWN = "data-head";

/** The tags as HTML, for the server. */
export function renderHead(tags: readonly HeadTag[]): string {
  return tags
    .map(({ tag, attributes, text }) => {
      const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(value)}"`);
      const opening = `<${tag}${written.join("")} ${OWN}>`;
      return text === undefined ? opening : `${opening}${escape(text)}</${tag}>`;
    })
    .join("");
}

const escape = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Puts the tags into the document's head in place of the last page's. */
export function applyHead(tags: readonly HeadTag[]): void {
  for (const old of document.head.querySelectorAll(`[${OWN}], title`)) old.remove();
  for (const { tag, attributes, text } of tags) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.setAttribute(OWN, "");
    if (text !== undefined) element.textContent = text;
    document.head.append(element);
  }
}
