import type { Translator } from "../lib/i18n/translator.ts";
import { LOCALES, type Locale, localePath } from "../lib/locale.ts";
import { describeFailure } from "./failure.ts";
import type { HeadWords } from "./page-module.ts";
import type { Shown } from "./resolve.ts";

export type HeadTag = {
  readonly tag: "title" | "meta" | "link";
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
};

export type HeadInput = {
  readonly shown: Shown;
  readonly words: Translator;
  readonly path: string;
  readonly origin: string;
};

/** Everything that the head says about a page: title, description, canonical, alternates, Open Graph. */
export function headTags(input: HeadInput): HeadTag[] {
  const { title, description } = headWords(input);
  const { shown, words, path, origin } = input;
  const { locale } = words;
  const isIndexed = shown.kind === "page" && shown.status === 200 && shown.route.isIndexed;
  const canonical = origin + localePath(locale, path);
  const shared: HeadTag[] = [
    { tag: "title", attributes: {}, text: title },
    meta("name", "description", description),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:site_name", "Wherry"),
    meta("property", "og:type", "website"),
    meta("property", "og:locale", locale === "ru" ? "ru_RU" : "en_US"),
    meta("property", "og:image", `${origin}/icons/icon-512.png`),
    meta("name", "twitter:card", "summary"),
  ];
  if (!isIndexed) return [...shared, meta("name", "robots", "noindex")];
  return [
    ...shared,
    meta("property", "og:url", canonical),
    link({ rel: "canonical", href: canonical }),
    ...alternates(origin, path),
  ];
}

function alternates(origin: string, path: string): HeadTag[] {
  const alternate = (hreflang: string, locale: Locale) =>
    link({ rel: "alternate", hreflang, href: origin + localePath(locale, path) });
  return [...LOCALES.map((locale) => alternate(locale, locale)), alternate("x-default", "en")];
}

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
