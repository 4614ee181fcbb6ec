import type { SiteSettings } from "#contract/ssr.ts";
import { formatPairSlug } from "#contract/pair-slug.ts";
import { pairNames } from "../../shared/format/pair-names.ts";
import type { ArticleData, ContentData } from "../../features/content/load.ts";
import type { InfoData } from "../../features/content/info/load.ts";
import type { PopularData } from "../../features/home/load.ts";
import type { CalculatorData } from "../../features/exchange/load.ts";
import type { PairParts } from "../../features/pair/load.ts";
import { pairFacts } from "../../features/pair/model/pair-facts.ts";
import { pairQuestions, type Question } from "../../features/pair/model/pair-questions.ts";
import type { CoinPageData } from "../../features/prices/load.ts";
import { coinQuestions } from "../../features/prices/model/coin-questions.ts";
import { QUESTIONS } from "../../features/home/model/questions.ts";
import { localeOf } from "../../shared/i18n/create-i18n.ts";
import { LOCALES, localePath } from "../../shared/i18n/locale.ts";
import type { HeadInput } from "./head.ts";
import type { RouteName } from "../router/route-table.ts";

type PageFacts = HeadInput & { readonly settings: SiteSettings };

/** JSON-LD for search engines, where a page has facts for it; part of the server's head alone. */
export function structuredData(input: PageFacts): string {
  const { view } = input;
  if (view.kind !== "page" || view.status !== 200 || !view.route.isIndexed) return "";
  const graph = graphOf(view.route.name, view.data, input);
  const json = JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replace(/</g, "\\u003c");
  return `<script type="application/ld+json" data-head>${json}</script>`;
}

function graphOf(name: RouteName, data: unknown, input: PageFacts): object[] {
  if (name === "home") return homeGraph(input);
  if ((name === "blog" || name === "docs") && (data as ContentData).kind === "article")
    return [breadcrumbs(input), articleOf(data as ArticleData, input)];
  if (name === "info" || name === "support") return [breadcrumbs(input), ...questionsOf(data as InfoData, input)];
  if (name === "exchange") return [breadcrumbs(input), ...faqOf(pairFaq(data as PairPageData, input), input)];
  if (name === "price") return [breadcrumbs(input), ...faqOf(coinFaq(data as CoinPageData, input), input)];
  if (name === "popular") return [breadcrumbs(input), pairList(data as PopularData, input)];
  return [breadcrumbs(input)];
}

const pairList = ({ pairs }: PopularData, { i18n, origin }: HeadInput): object => ({
  "@type": "ItemList",
  numberOfItems: pairs.length,
  itemListElement: pairs.map(({ from, to }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name: Object.values(pairNames(from, to)).join(" → "),
    url: origin + localePath(localeOf(i18n), `/exchange-${formatPairSlug({ from: from.slug, to: to.slug })}`),
  })),
});

/** What is asked and answered on the page itself. */
function questionsOf({ page }: InfoData, { i18n, origin, path }: HeadInput): object[] {
  const questions = page.sections.flatMap((section) => section.questions);
  if (questions.length === 0) return [];
  return [
    {
      "@type": "FAQPage",
      "@id": `${origin}${localePath(localeOf(i18n), path)}#questions`,
      inLanguage: localeOf(i18n),
      mainEntity: questions.map(({ title, text }) => ({
        "@type": "Question",
        name: title,
        acceptedAnswer: { "@type": "Answer", text },
      })),
    },
  ];
}

function articleOf({ article, section }: ArticleData, { i18n, origin, path }: HeadInput): object {
  const url = origin + localePath(localeOf(i18n), path);
  return {
    "@type": section === "docs" ? "TechArticle" : "BlogPosting",
    "@id": `${url}#article`,
    headline: article.title,
    description: article.description,
    inLanguage: localeOf(i18n),
    datePublished: article.publishedAt,
    dateModified: article.updatedAt ?? article.publishedAt,
    author: { "@type": "Organization", name: article.author },
    publisher: { "@type": "Organization", "@id": `${origin}/#organization`, name: "Wherry" },
    keywords: article.tags.join(", "),
    mainEntityOfPage: url,
    image: `${origin}/icons/card.png`,
  };
}

type PairPageData = CalculatorData & { readonly pair: PairParts };

const coinFaq = (data: CoinPageData, { i18n }: HeadInput): Question[] =>
  coinQuestions(data, i18n.getFixedT(null, "prices"));

function pairFaq({ catalogue, opening, pair }: PairPageData, { i18n, settings }: PageFacts): Question[] {
  const find = (slug: string) => catalogue.instruments.find((one) => one.slug === slug);
  const [from, to] = [find(opening.from), find(opening.to)];
  if (from === undefined || to === undefined) return [];
  const facts = pairFacts(from, to, opening.firstRate, pair.activity);
  return pairQuestions(facts, settings.rateLockMinutes, i18n.getFixedT(null, "pair"), i18n.getFixedT(null, "common"));
}

/** The questions as the page shows them. */
const faqOf = (questions: readonly Question[], { i18n, origin, path }: HeadInput): object[] =>
  questions.length === 0
    ? []
    : [
        {
          "@type": "FAQPage",
          "@id": `${origin + localePath(localeOf(i18n), path)}#questions`,
          inLanguage: localeOf(i18n),
          mainEntity: questions.map(({ question, answer }) => ({
            "@type": "Question",
            name: question,
            acceptedAnswer: { "@type": "Answer", text: answer },
          })),
        },
      ];

function homeGraph({ i18n, origin, settings }: PageFacts): object[] {
  const t = i18n.getFixedT(null, "home");
  const url = origin + localePath(localeOf(i18n), "/");
  const organization = { "@type": "Organization", "@id": `${origin}/#organization`, name: "Wherry", url: `${origin}/` };
  return [
    { ...organization, logo: `${origin}/icons/icon-512.png` },
    {
      "@type": "WebSite",
      "@id": `${origin}/#website`,
      name: "Wherry",
      url,
      inLanguage: [...LOCALES],
      publisher: { "@id": organization["@id"] },
    },
    {
      "@type": "FAQPage",
      "@id": `${url}#questions`,
      inLanguage: localeOf(i18n),
      mainEntity: QUESTIONS.map((name) => ({
        "@type": "Question",
        name: t(`questions.${name}`),
        acceptedAnswer: { "@type": "Answer", text: t(`questions.${name}Answer`, { count: settings.rateLockMinutes }) },
      })),
    },
  ];
}

function breadcrumbs({ view, i18n, path, origin }: HeadInput): object {
  const head = view.kind === "page" ? view.module.head(view.data, i18n.getFixedT(null, "common")) : null;
  const parents = head?.parents ?? [];
  const item = (position: number, name: string, at: string) => ({
    "@type": "ListItem",
    position,
    name,
    item: origin + localePath(localeOf(i18n), at),
  });
  return {
    "@type": "BreadcrumbList",
    itemListElement: [
      item(1, i18n.getFixedT(null, "common")("nav.exchange"), "/"),
      ...parents.map(({ name, path: at }, index) => item(index + 2, name, at)),
      item(parents.length + 2, (head?.title ?? "").replace(/ · Wherry$/, ""), path),
    ],
  };
}
