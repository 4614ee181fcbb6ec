import { DEFAULT_LOCALE } from "#contract/locale.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Rendered } from "#contract/site/ssr.ts";
import { sha256 } from "../base/secrets.ts";
import { deferredModule, deferScripts } from "./deferred-scripts.ts";

type Page = Extract<Rendered, { html: string }>;
type Chunk = { file: string; imports?: string[]; css?: string[] };

/** The build's manifest: the files of each module, by source path. */
export type Manifest = Readonly<Record<string, Chunk>>;

const INLINE_SCRIPT = /<script(?: type="module")?>([\s\S]*?)<\/script>/g;

/** `sha256-…` of each inline script of a template, for script-src: the shell comes from a cache, where no nonce holds. */
export const inlineScriptHashes = (template: string): string[] =>
  Array.from(template.matchAll(INLINE_SCRIPT), ([, code = ""]) => `sha256-${sha256(code).toString("base64")}`);

/** The text of a style sheet of the build, such as `assets/index-1.css`. */
export type ReadStyle = (file: string) => string;

/** The built template, its styles inside it and its scripts behind the first paint. */
export async function readTemplate(distDir: string, readStyle: ReadStyle, file = "index.html"): Promise<string> {
  const template = await readFile(join(distDir, "client", file), "utf8");
  return deferScripts(
    template.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (_, file: string) =>
      inlineStyle(file, readStyle),
    ),
  );
}

export const readManifest = async (distDir: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(distDir, "client/.vite/manifest.json"), "utf8")) as Manifest;

/** What says that the page's first load has failed (scripts/vite/start-notice.ts): of its own language alone. */
const START_NOTICE = /<template class="w-start-notices" lang="(\w+)">.*?<\/template>/g;

/** Puts a rendered page into the template, with links to everything that it needs before it hydrates. */
export function fillTemplate(template: string, page: Page, links = ""): string {
  const parts: Record<string, string> = {
    head: page.head + links,
    app: page.html,
    data: `<script type="application/json" id="page-data">${page.data}</script>`,
  };
  return template
    .replace(START_NOTICE, (notice, lang: string) => (lang === page.lang ? notice : ""))
    .replace('<html lang="en"', `<html lang="${page.lang}"`)
    .replace('href="/manifest.webmanifest"', `href="/${manifestOf(page.lang)}"`)
    .replace(/<!--(head|app|data)-->/g, (_, name: string) => parts[name] ?? "");
}

/** Each language has a manifest of its own, with its words and its start page. */
const manifestOf = (lang: string): string =>
  lang === DEFAULT_LOCALE ? "manifest.webmanifest" : `manifest.${lang}.webmanifest`;

/**
 * The page's chunks, and the styles that they and its `styled` modules bring; what the template has already is left out.
 */
export function preloadLinks(
  manifest: Manifest,
  modules: readonly string[],
  template: string,
  readStyle: ReadStyle,
  styled: readonly string[] = [],
): string {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const collect = (key: string, files: Set<string>) => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    chunk.imports?.forEach((imported) => collect(imported, files));
  };
  modules.forEach((module) => collect(module, scripts));
  const later = new Set<string>();
  styled.forEach((module) => collect(module, later));
  const isNew = (file: string) => !template.includes(`"/${file}"`);
  return [
    ...[...styles].filter(isNew).map((file) => inlineStyle(file, readStyle)),
    ...[...scripts].filter(isNew).map(deferredModule),
  ].join("");
}

/**
 * Inside the page, so that its first paint waits for no second answer; the link loads nothing, and tells the app's
 * loader of chunks that the style is there.
 */
const inlineStyle = (file: string, readStyle: ReadStyle): string =>
  `<style>${readStyle(file)}</style><link rel="stylesheet" href="/${file}" disabled>`;

const PLAIN_HEAD =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Wherry</title>';

/** The page when too many are asked for: it costs nothing, and the browser asks again by itself. */
export const busyPage = (status: 429 | 503, retryAfterSeconds: number): string =>
  `${PLAIN_HEAD}<meta http-equiv="refresh" content="${retryAfterSeconds}"><h1>Error ${status}</h1>` +
  `<p>${status === 429 ? "Too many pages were requested from your network." : "Too many pages are requested right now."} ` +
  "This page tries again by itself. Orders already made are safe.</p>" +
  `<p lang="ru">${status === 429 ? "Из вашей сети запросили слишком много страниц." : "Сейчас запрашивают слишком много страниц."} ` +
  "Эта страница повторит попытку сама. Созданные заявки целы.</p>";

/** The page when rendering itself fails: no script, no style, the true status. */
export const PLAIN_ERROR_PAGE =
  `${PLAIN_HEAD}<h1>Error 500</h1><p>This page could not be loaded. Orders already made are safe.</p>` +
  '<p lang="ru">Страница не загрузилась. Созданные заявки целы.</p>';
