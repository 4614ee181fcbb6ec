import { HOUR_SECONDS } from "#contract/durations.ts";
import type { FastifyInstance } from "fastify";
import { type ArticleItem } from "#contract/site/content.ts";
import { LOCALES, type Locale, localeBase } from "#contract/locale.ts";
import { escapeMarkup } from "#contract/site/escape-markup.ts";
import { fixedT } from "../base/i18n.ts";
import type { Articles } from "./articles.ts";

export type FeedParts = { readonly articles: Articles; readonly publicUrl: string };

const MAX_ENTRIES = 20;
/** The contract's limit for a part of a list. */
const MAX_LISTED = 100;

/** Serves the blog's feed (Atom, RFC 4287) and `llms.txt` (https://llmstxt.org) in each language. */
export function addFeeds(app: FastifyInstance, { articles, publicUrl }: FeedParts): void {
  for (const locale of LOCALES) {
    const base = publicUrl + localeBase(locale);
    const prefix = localeBase(locale);
    app.get(`${prefix}/blog/feed.xml`, async (_request, reply) => {
      const { items } = await articles.list({ section: "blog", locale }, { offset: 0, limit: MAX_ENTRIES });
      return reply
        .type("application/atom+xml; charset=utf-8")
        .header("cache-control", `public, max-age=${HOUR_SECONDS}`)
        .send(atomFeed(base, locale, items));
    });
    app.get(`${prefix}/llms.txt`, async (_request, reply) => {
      const part = { offset: 0, limit: MAX_LISTED };
      const [docs, blog] = await Promise.all([
        articles.list({ section: "docs", locale }, part),
        articles.list({ section: "blog", locale }, part),
      ]);
      return reply
        .type("text/markdown; charset=utf-8")
        .header("cache-control", `public, max-age=${HOUR_SECONDS}`)
        .send(llmsText({ base, publicUrl, locale, docs: docs.items, blog: blog.items }));
    });
  }
}

function atomFeed(base: string, locale: Locale, items: readonly ArticleItem[]): string {
  const t = fixedT(locale, "feeds");
  const blog = `${base}/blog`;
  const updated = items.map(changedAt).toSorted().at(-1) ?? "1970-01-01T00:00:00Z";
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">`,
    `<id>${blog}</id>`,
    `<title>${escapeMarkup(t("blog.title"))}</title>`,
    `<subtitle>${escapeMarkup(t("blog.subtitle"))}</subtitle>`,
    `<link rel="alternate" type="text/html" href="${blog}"/>`,
    `<link rel="self" type="application/atom+xml" href="${blog}/feed.xml"/>`,
    `<updated>${updated}</updated>`,
    ...items.map((item) => entry(`${blog}/${item.slug}`, item)),
    "</feed>",
    "",
  ].join("\n");
}

function entry(url: string, item: ArticleItem): string {
  return [
    "<entry>",
    `<id>${url}</id>`,
    `<title>${escapeMarkup(item.title)}</title>`,
    `<link rel="alternate" type="text/html" href="${url}"/>`,
    `<published>${item.publishedAt}T00:00:00Z</published>`,
    `<updated>${changedAt(item)}</updated>`,
    `<author><name>${escapeMarkup(item.author)}</name></author>`,
    ...[item.category, ...item.tags].map((term) => `<category term="${escapeMarkup(term)}"/>`),
    `<summary>${escapeMarkup(item.description)}</summary>`,
    "</entry>",
  ].join("");
}

const changedAt = ({ publishedAt, updatedAt }: ArticleItem): string => `${updatedAt ?? publishedAt}T00:00:00Z`;

type LlmsParts = {
  readonly base: string;
  readonly publicUrl: string;
  readonly locale: Locale;
  readonly docs: readonly ArticleItem[];
  readonly blog: readonly ArticleItem[];
};

function llmsText({ base, publicUrl, locale, docs, blog }: LlmsParts): string {
  const t = fixedT(locale, "feeds");
  const listOf = (section: "blog" | "docs", items: readonly ArticleItem[]): string[] =>
    items.length === 0
      ? []
      : [
          "",
          `## ${t(`llms.${section}`)}`,
          "",
          ...items.map((item) => link(item.title, `${base}/${section}/${item.slug}`, item.description)),
        ];
  return [
    "# Wherry",
    "",
    `> ${t("llms.summary")}`,
    "",
    t("llms.use"),
    "",
    `## ${t("llms.pages")}`,
    "",
    link(t("llms.home"), base === publicUrl ? `${base}/` : base),
    link(t("llms.popular"), `${base}/popular-exchanges`),
    link(t("llms.prices"), `${base}/price`),
    link(t("llms.how"), `${base}/how-it-works`),
    link(t("llms.support"), `${base}/support`),
    link(t("llms.terms"), `${base}/terms`),
    "",
    `## ${t("llms.machines")}`,
    "",
    link("/api/openapi.json", `${publicUrl}/api/openapi.json`, t("llms.openapi")),
    link("/rates.xml", `${publicUrl}/rates.xml`, t("llms.rates")),
    link("/sitemap.xml", `${publicUrl}/sitemap.xml`, t("llms.sitemap")),
    ...listOf("docs", docs),
    ...listOf("blog", blog),
    "",
  ].join("\n");
}

const link = (title: string, url: string, about?: string): string =>
  `- [${title.replace(/[[\]]/g, "\\$&")}](${url})${about === undefined ? "" : `: ${about}`}`;
