import { z } from "zod";

// The types and properties of https://schema.org that pages use, with those that search engines ask for made obligatory.

const text = z.string().trim().min(1);
const url = z.httpUrl();
const date = z.iso.date();
const price = z.string().regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/);
const language = z.enum(["en", "ru"]);
const reference = z.strictObject({ "@id": url });
const typed = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.strictObject({ "@type": z.literal(type), "@id": url.optional(), ...shape });

const image = (width: number, height: number) =>
  typed("ImageObject", { url, width: z.literal(width), height: z.literal(height) });
const logo = image(200, 60);
const publisher = typed("Organization", { name: text, url, logo });

const question = typed("Question", { name: text, acceptedAnswer: typed("Answer", { text }) });
const article = {
  headline: text.max(110),
  description: text,
  inLanguage: language,
  datePublished: date,
  dateModified: date,
  author: z.union([typed("Organization", { name: z.literal("Wherry") }), typed("Person", { name: text })]),
  publisher,
  keywords: z.string(),
  mainEntityOfPage: url,
  image: image(1200, 630),
};
const listItem = z.int().min(1);

const node = z.discriminatedUnion("@type", [
  typed("Organization", { name: text, url, logo, sameAs: z.array(url).optional() }),
  typed("WebSite", {
    name: text,
    url,
    inLanguage: z.array(language),
    publisher: reference,
    potentialAction: typed("SearchAction", {
      target: typed("EntryPoint", { urlTemplate: z.string().regex(/^https:\/\/[^{}]+\{search_term_string\}$/) }),
      "query-input": z.literal("required name=search_term_string"),
    }),
  }),
  typed("FAQPage", { inLanguage: language, mainEntity: z.array(question).min(1) }),
  typed("BreadcrumbList", {
    itemListElement: z.array(typed("ListItem", { position: listItem, name: text, item: url })).min(2),
  }),
  typed("ItemList", {
    numberOfItems: z.int().min(0),
    itemListElement: z.array(typed("ListItem", { position: listItem, name: text, url })),
  }),
  typed("BlogPosting", article),
  typed("TechArticle", article),
  typed("ExchangeRateSpecification", {
    currency: text,
    currentExchangeRate: typed("UnitPriceSpecification", { price, priceCurrency: text }),
  }),
  typed("AggregateRating", {
    ratingValue: z.union([price, z.number()]),
    ratingCount: z.int().min(1).optional(),
    reviewCount: z.int().min(1).optional(),
    bestRating: z.literal(5),
    worstRating: z.literal(1),
    itemReviewed: reference,
  }),
]);
const document = z.strictObject({ "@context": z.literal("https://schema.org"), "@graph": z.array(node).min(1) });

export type StructuredData = z.output<typeof document>;

const SCRIPT = /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/g;

/** The JSON-LD of a page, checked against its types; null for a page without. Throws what is wrong. */
export function structuredDataOf(html: string): StructuredData | null {
  const scripts = Array.from(html.matchAll(SCRIPT), ([, json = ""]) => json);
  if (scripts.length > 1) throw new Error("a page has its structured data in one script");
  const [json] = scripts;
  if (json === undefined) return null;
  const data = document.parse(JSON.parse(json));
  for (const { "@type": type, ...rest } of data["@graph"]) {
    const positions = "itemListElement" in rest ? rest.itemListElement.map(({ position }) => position) : [];
    if (positions.some((position, index) => position !== index + 1)) throw new Error(`${type} counts from 1 by one`);
  }
  return data;
}
