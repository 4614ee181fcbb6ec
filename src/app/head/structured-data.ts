import type { SiteSettings } from "#contract/ssr.ts";
import { formatPairSlug } from "#contract/pair-slug.ts";
import { pairNames } from "../../shared/format/pair-names.ts";
import type { PopularData } from "../../features/home/load.ts";
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
  const title = view.kind === "page" ? view.module.head(view.data, i18n.getFixedT(null, "common")).title : "";
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
      item(2, title.replace(/ · Wherry$/, ""), path),
    ],
  };
}
