import type { SiteSettings } from "#contract/site/ssr.ts";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
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
import { LOCALES, localePath } from "#contract/locale.ts";
import type { HeadTexts } from "../router/define-page.ts";
import type { RouteName } from "../router/route-table.ts";
import { type HeadInput, pictureUrl } from "./head.ts";

type PageFacts = HeadInput & { readonly settings: SiteSettings };
type IndexedPage = Extract<HeadInput["view"], { kind: "page" }>;

/** JSON-LD for search engines, where a page has facts for it; part of the server's head alone. */
export function structuredData(input: PageFacts): string {
  const { view } = input;
  if (view.kind !== "page" || view.status !== 200 || !view.route.isIndexed) return "";
  const graph = graphOf(view, input);
  const json = JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replace(/</g, "\\u003c");
  return `<script type="application/ld+json" data-head>${json}</script>`;
}

function graphOf({ route: { name }, module, data }: IndexedPage, input: PageFacts): object[] {
  if (name === "home") return homeGraph(input);
  const head = module.head(data, input.i18n.getFixedT(null, "common"));
  const questions = questionsOn(name, data, input);
  return [
    breadcrumbs(head, input),
    ...((name === "blog" || name === "docs") && (data as ContentData).kind === "article"
      ? [articleOf(data as ArticleData, input)]
      : []),
    ...(name === "popular" ? [pairList(data as PopularData, input)] : []),
    ...(head.rate === undefined ? [] : [exchangeRate(head.rate)]),
    ...(questions.length === 0 ? [] : [questionsPage(questions, input)]),
    ...(name === "info" || name === "support" || name === "authorities" ? ratingOn(data as InfoData, input) : []),
  ];
}

const urlOf = ({ i18n, origin }: HeadInput, path: string): string => origin + localePath(localeOf(i18n), path);

const pairList = ({ pairs }: PopularData, input: HeadInput): object => ({
  "@type": "ItemList",
  numberOfItems: pairs.length,
  itemListElement: pairs.map(({ from, to }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name: Object.values(pairNames(from, to)).join(" → "),
    url: urlOf(input, `/exchange-${formatPairSlug({ from: from.slug, to: to.slug })}`),
  })),
});

/** What is asked and answered on the page itself. */
function questionsOn(name: RouteName, data: unknown, input: PageFacts): readonly Question[] {
  if (name === "info" || name === "support") return infoFaq(data as InfoData);
  if (name === "exchange") return pairFaq(data as PairPageData, input);
  return name === "price" ? coinFaq(data as CoinPageData, input) : [];
}

const infoFaq = ({ page }: InfoData): Question[] =>
  page.sections.flatMap((section) => section.questions).map(({ title, text }) => ({ question: title, answer: text }));

const exchangeRate = ({ currency, price, priceCurrency }: NonNullable<HeadTexts["rate"]>): object => ({
  "@type": "ExchangeRateSpecification",
  currency,
  currentExchangeRate: { "@type": "UnitPriceSpecification", price, priceCurrency },
});

/** spec §9: pages' pictures and the logo. */
const picture = (url: string): object => ({ "@type": "ImageObject", url, width: 1200, height: 630 });
const logo = (origin: string): object => ({
  "@type": "ImageObject",
  url: `${origin}/icons/logo.png`,
  width: 200,
  height: 60,
});

const PUBLISHER = "Wherry";

function articleOf({ article, section }: ArticleData, input: HeadInput): object {
  const url = urlOf(input, input.path);
  return {
    "@type": section === "docs" ? "TechArticle" : "BlogPosting",
    "@id": `${url}#article`,
    headline: article.title,
    description: article.description,
    inLanguage: localeOf(input.i18n),
    datePublished: article.publishedAt,
    dateModified: article.updatedAt ?? article.publishedAt,
    author: { "@type": article.author === PUBLISHER ? "Organization" : "Person", name: article.author },
    publisher: { "@type": "Organization", name: PUBLISHER, url: `${input.origin}/`, logo: logo(input.origin) },
    keywords: article.tags.join(", "),
    mainEntityOfPage: url,
    image: picture(pictureUrl(input)),
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

const organizationId = ({ origin }: HeadInput): string => `${origin}/#organization`;

const organizationOf = (input: PageFacts): object => ({
  "@type": "Organization",
  "@id": organizationId(input),
  name: "Wherry",
  url: `${input.origin}/`,
  logo: logo(input.origin),
  ...(input.settings.sourceUrl !== null && { sameAs: [input.settings.sourceUrl] }),
});

/** What others say of the exchange, beside who runs it; 5 and 1 are the ends of the scale (spec §9). */
function ratingOn({ page: { rating } }: InfoData, input: PageFacts): object[] {
  if (rating === null) return [];
  return [
    organizationOf(input),
    {
      "@type": "AggregateRating",
      itemReviewed: { "@id": organizationId(input) },
      ratingValue: rating.value,
      ratingCount: rating.count,
      bestRating: 5,
      worstRating: 1,
    },
  ];
}

function homeGraph(input: PageFacts): object[] {
  const { i18n, settings } = input;
  const t = i18n.getFixedT(null, "home");
  const questions = QUESTIONS.map((name) => ({
    question: t(`questions.${name}`),
    answer: t(`questions.${name}Answer`, { count: settings.rateLockMinutes }),
  }));
  return [
    organizationOf(input),
    {
      "@type": "WebSite",
      "@id": `${input.origin}/#website`,
      name: "Wherry",
      url: urlOf(input, "/"),
      inLanguage: [...LOCALES],
      publisher: { "@id": organizationId(input) },
      potentialAction: {
        "@type": "SearchAction",
        target: { "@type": "EntryPoint", urlTemplate: `${urlOf(input, "/docs")}?q={search_term_string}` },
        "query-input": "required name=search_term_string",
      },
    },
    questionsPage(questions, input),
  ];
}

const questionsPage = (questions: readonly Question[], input: HeadInput): object => ({
  "@type": "FAQPage",
  "@id": `${urlOf(input, input.path)}#questions`,
  inLanguage: localeOf(input.i18n),
  mainEntity: questions.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: answer },
  })),
});

function breadcrumbs({ title, parents = [] }: HeadTexts, input: HeadInput): object {
  const item = (position: number, name: string, at: string) => ({
    "@type": "ListItem",
    position,
    name,
    item: urlOf(input, at),
  });
  return {
    "@type": "BreadcrumbList",
    itemListElement: [
      item(1, input.i18n.getFixedT(null, "common")("nav.exchange"), "/"),
      ...parents.map(({ name, path }, index) => item(index + 2, name, path)),
      item(parents.length + 2, title.replace(/ · Wherry$/, ""), input.path),
    ],
  };
}
