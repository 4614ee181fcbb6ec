import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { LOCALES } from "../../src/shared/i18n/locale.ts";

const SOURCE = "manifest.webmanifest";
/** The language without a prefix; its manifest keeps the file name that installed apps know. */
const DEFAULT = "en";

type Texts = { readonly [key: string]: string | Texts };

export const manifestFile = (locale: string): string =>
  locale === DEFAULT ? SOURCE : `manifest.${locale}.webmanifest`;

/** The manifest of one language: the source's placeholders filled with its texts and addresses. Throws when a text is missing. */
export function manifestOf(source: string, locale: string, texts: Texts): string {
  const prefix = locale === DEFAULT ? "" : `/${locale}`;
  const values: Texts = { ...texts, lang: locale, prefix, home: prefix || "/" };
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
