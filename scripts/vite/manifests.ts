import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { DEFAULT_LOCALE, type Locale, localeBase, localePath, LOCALES } from "#contract/locale.ts";

const SOURCE = "manifest.webmanifest";

type Texts = { readonly [key: string]: string | Texts };

/** The default language's manifest keeps the file name that installed apps know. */
export const manifestFile = (locale: Locale): string =>
  locale === DEFAULT_LOCALE ? SOURCE : `manifest.${locale}.webmanifest`;

/** The manifest of one language: the source's placeholders filled with its texts and addresses. Throws when a text is missing. */
export function manifestOf(source: string, locale: Locale, texts: Texts): string {
  const prefix = localeBase(locale);
  const values: Texts = { ...texts, lang: locale, prefix, home: localePath(locale, "/") };
  const manifest: unknown = JSON.parse(source, (_key, value: unknown) =>
    typeof value === "string"
      ? value.replace(/\{\{([\w.]+)\}\}/g, (_placeholder, name: string) => valueOf(values, name))
      : value,
  );
  return JSON.stringify(manifest);
}

function valueOf(values: Texts, name: string): string {
  const found = name
    .split(".")
    .reduce<string | Texts | undefined>((at, part) => (typeof at === "object" ? at[part] : undefined), values);
  if (typeof found !== "string") throw new Error(`the manifest has no text for ${name}`);
  return found;
}

/** Writes the manifest of each language, made from the one at the top of the repository. */
export function manifests(): Plugin {
  return {
    name: "wherry:manifests",
    apply: "build",
    generateBundle() {
      const source = readFileSync(SOURCE, "utf8");
      for (const locale of LOCALES) {
        const texts = JSON.parse(readFileSync(join("locales", locale, "manifest.json"), "utf8")) as Texts;
        this.emitFile({ type: "asset", fileName: manifestFile(locale), source: manifestOf(source, locale, texts) });
      }
    },
  };
}
