import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LOCALES } from "#contract/locale.ts";

type Texts = { readonly [key: string]: string | Texts };

const FOLDER = new URL("../locales/", import.meta.url);
/** Where a language stands by its name: the list, texts imported by hand, and pages for when nothing else is left. */
const NAMED_IN = ["contract/locale.ts", "server/base/i18n.ts", "server/site/page.ts"];

/** Messages that are the same in English and Russian: names, and figures without words. */
const SAME_IN_BOTH = new Set([
  "common:nav.api",
  "earnings:chart.day",
  "exchange:rate.about",
  "exchange:rate.exactly",
  "exchange:destination.sum",
  "home:latest.sum",
  "home:popular.pays",
  "home:rates.fromTo",
  "mail:amount",
  "mail:amount_card",
  "pair:latest.sum",
  "prices:chart.at",
  "seo/authorities:description",
  "seo/authorities:shareTitle",
  "seo/authorities:title",
  "seo/blog:description",
  "seo/blog:shareTitle",
  "seo/blog:title",
  "seo/docs:description",
  "seo/docs:shareTitle",
  "seo/docs:title",
  "seo/info:description",
  "seo/info:shareTitle",
  "seo/info:title",
  "seo/support:description",
  "seo/support:shareTitle",
  "seo/support:title",
]);

const filesOf = (locale: string): string[] =>
  readdirSync(new URL(`${locale}/`, FOLDER), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort();

function flatten(words: Texts, prefix: string): [string, string][] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
}

/** Every message of a language, as `file:key`. */
function messagesOf(locale: string): Map<string, string> {
  return new Map(
    filesOf(locale).flatMap((file) =>
      flatten(JSON.parse(readFileSync(new URL(`${locale}/${file}`, FOLDER), "utf8")) as Texts, `${file.slice(0, -5)}:`),
    ),
  );
}

const PLURAL = /_(zero|one|two|few|many|other)$/;
const baseOf = (key: string): string => key.replace(PLURAL, "");
const keysOf = (messages: ReadonlyMap<string, string>): string[] =>
  [...new Set([...messages.keys()].map(baseOf))].sort();

/** `{{name}}` of a message and of its plural forms: `count` may be left to the form. */
function placeholdersOf(messages: ReadonlyMap<string, string>, base: string): string[] {
  const texts = [...messages].filter(([key]) => baseOf(key) === base).map(([, text]) => text);
  const names = texts.flatMap((text) => Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = ""]) => name));
  return [...new Set(names)].sort();
}

const messages = { en: messagesOf("en"), ru: messagesOf("ru") };

describe("the messages of both languages", () => {
  it("are in the same files under the same keys", () => {
    expect(filesOf("ru")).toEqual(filesOf("en"));
    expect(keysOf(messages.ru)).toEqual(keysOf(messages.en));
  });

  it("have the same placeholders", () => {
    for (const key of keysOf(messages.en))
      expect([key, placeholdersOf(messages.ru, key)]).toEqual([key, placeholdersOf(messages.en, key)]);
  });

  it("format no value and name no other message: the widget leaves out what does it (scripts/vite/lean-libraries.ts)", () => {
    const texts = LOCALES.flatMap((locale) => [...messages[locale]]);
    expect(texts.filter(([, text]) => /\$t\(|\{\{[^}]*,/.test(text))).toEqual([]);
  });

  it("have every plural form that their language has", () => {
    for (const locale of LOCALES) {
      const forms = [...new Intl.PluralRules(locale).resolvedOptions().pluralCategories].sort();
      const plural = new Set([...messages[locale].keys()].filter((key) => PLURAL.test(key)).map(baseOf));
      expect(plural.size).toBeGreaterThan(0);
      for (const base of plural)
        expect([locale, base, forms.filter((form) => messages[locale].has(`${base}_${form}`))]).toEqual([
          locale,
          base,
          forms,
        ]);
    }
  });

  it("differ, except for those named here", () => {
    const same = [...messages.en].filter(([key, text]) => messages.ru.get(key) === text).map(([key]) => key);
    expect(same.sort()).toEqual([...SAME_IN_BOTH].sort());
  });

  it("keep an amount and its unit in one line, and no sign alone at a line's beginning", () => {
    const amount = String.raw`(?:\{\{(?:amount|give|get|min|max|fee|smallest|n|seconds|minutes|hours|days)\}\}|\d)`;
    const unit = String.raw`(?:\{\{(?:ticker|currency|from|to)\}\}|(?:USDT|min|ms|s|h|d|мин|мс|с|ч|дн)(?![\p{L}\d]))`;
    const broken = new RegExp(`${amount} ${unit}| @`, "u");
    // Mails are plain text as well, a page's title has one line, and a column of 320 px has no room for both.
    const isApart = /^(?:mail:|seo\/|home:popular\.pays$)/;
    const shown = LOCALES.flatMap((locale) => [...messages[locale]]).filter(([key]) => !isApart.test(key));
    expect(shown.some(([, text]) => text.includes("\u00a0"))).toBe(true);
    expect(shown.filter(([, text]) => broken.test(text))).toEqual([]);
  });

  it("are never empty", () => {
    for (const locale of LOCALES) expect([...messages[locale]].filter(([, text]) => text.trim() === "")).toEqual([]);
  });
});

describe("what customers read", () => {
  const HOLD = /(?:\b20|\btwenty)[\s-]minutes?|(?:\b20|двадцат\S*)\s+минут/i;
  const CONTENT = new URL("../content/", import.meta.url);
  const articles = readdirSync(CONTENT, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      readFileSync(new URL(file, CONTENT), "utf8")
        .split("\n")
        .map((line) => [file, line] as const),
    );

  it("says no length of the rate lock, which an operator sets: tables name its default", () => {
    const lines = [...articles, ...messages.en, ...messages.ru].filter(([, text]) => HOLD.test(text));
    // Ten blocks of Monero, and the tables' column of defaults.
    const others = ([file, text]: readonly [string, string]) => /monero/.test(file) || text.startsWith("| ");
    expect(lines.some(others)).toBe(true);
    expect(lines.filter((line) => !others(line))).toEqual([]);
  });
});

it("only contract/locale.ts knows the languages and their prefixes", () => {
  const literals = /"ru"|\\\/ru\b|["'`]\/ru\b|\(?en\|ru/;
  const found = ["contract", "src", "server", "scripts"].flatMap((folder) =>
    readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.includes("/testing/") && !NAMED_IN.includes(path))
      .flatMap((path) =>
        readFileSync(new URL(`../${path}`, import.meta.url), "utf8")
          .split("\n")
          .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && literals.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      ),
  );
  expect(found).toEqual([]);
});
