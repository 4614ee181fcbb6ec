import type { Locale } from "#contract/locale.ts";
import type { Api } from "#contract/site/ssr.ts";
import { addMessages } from "../../shared/i18n/create-i18n.ts";
import { isUnreachable } from "../../shared/http/call-error.ts";
import { matchRoute } from "../router/route-table.ts";
import { parseTags } from "../head/head.ts";
import type { Guard } from "./guard.ts";

/** spec §9: how long translations are kept. */
const KEPT_MS = 24 * 3_600_000;

/** The keys of a page's SEO texts under `seo.{page}.`; those of `JSON_KEYS` hold JSON. */
const TEXT_KEYS = ["title", "description"] as const;
const JSON_KEYS = ["openGraph", "twitter"] as const;

type Keys = (typeof TEXT_KEYS)[number] | (typeof JSON_KEYS)[number];
type SeoWords = Readonly<Record<Keys, string>>;

/**
 * Guard 5 of spec §2: fetches a known page's SEO texts and merges them into the locale's messages, from which the head is made.
 * Missing or invalid ones are fatal while the check is on; otherwise the page's own texts serve.
 */
export const seoMeta: Guard = async ({ path, locale }, { api, i18n, isMiniApp, isSeoChecked, now, seoFetchedAt }) => {
  const route = matchRoute(path)?.route;
  if (isMiniApp || route === undefined || !route.isIndexed) return null;
  const page = route.name;
  if (now - (seoFetchedAt.get(page) ?? -Infinity) < KEPT_MS) return null;
  const answer = await fetchTexts(api, page, locale);
  const texts = readSeoTexts(answer, page);
  if (Array.isArray(texts)) {
    if (isSeoChecked) throw new Error(`SEO keys of ${page} are missing or unreadable: ${texts.join(", ")}`);
    if (answer !== null) console.warn("SEO keys are missing or unreadable", texts);
    return null;
  }
  addMessages(i18n, { seo: { [page]: texts } });
  seoFetchedAt.set(page, now);
  return null;
};

/** Null when they can't be fetched. */
async function fetchTexts(api: Api, page: string, locale: Locale): Promise<Readonly<Record<string, string>> | null> {
  try {
    return await api.call("seoTexts", { body: { params: { page, locale } } });
  } catch (error) {
    // Offline, the page already says so.
    const log = isUnreachable(error) ? console.debug : console.warn;
    log("SEO texts can't be fetched", error);
    return null;
  }
}

/** A page's texts out of the fetched map, or the keys that are missing or hold invalid JSON. */
function readSeoTexts(answer: Readonly<Record<string, string>> | null, page: string): SeoWords | string[] {
  const keyOf = (key: Keys) => `seo.${page}.${key}`;
  const textOf = (key: Keys) => answer?.[keyOf(key)] ?? "";
  const wrong = [
    ...TEXT_KEYS.filter((key) => textOf(key).trim() === ""),
    ...JSON_KEYS.filter((key) => parseTags(textOf(key)) === null),
  ];
  if (wrong.length > 0) return wrong.map(keyOf);
  return {
    title: textOf("title"),
    description: textOf("description"),
    openGraph: textOf("openGraph"),
    twitter: textOf("twitter"),
  };
}
