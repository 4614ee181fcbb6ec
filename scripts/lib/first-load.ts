import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import * as z from "zod";

/** Budgets of a page's first load, in bytes of brotli. */
export const BUDGETS = { js: 130_000, css: 22_000 };

/** The budget of Telegram's SDK, which is loaded only inside Telegram. */
export const SDK_BUDGET = 22_000;

const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]), css: z.array(z.string()).default([]) }),
);
type Manifest = z.infer<typeof manifestSchema>;

const ENTRY = "index.html";
/** The widget's build, beside the app's. */
const EMBED = { entry: "embed.html", manifest: ".vite/embed-manifest.json", loader: "embed.js" };
/** Budgets of the widget, in bytes: of its frame's scripts as brotli, and of the file that other sites load, as it is. */
export const EMBED_BUDGETS = { js: 98_000, loader: 3_000 };

export type FirstLoad = { js: number; css: number; files: { file: string; bytes: number }[] };

/**
 * What a first visit of a page loads before it is at rest (`src/shared/page/at-rest.ts`): the entry and the page's module, with all
 * that they import. Throws when one of them is missing in the build under `client`.
 */
export function firstLoad(client: string, page: string): FirstLoad {
  return loadOf(client, readManifest(client), [ENTRY, page]);
}

/** What a first visit of the widget's frame loads before it is at rest, and how large the script is that makes the frame. */
export function embedLoad(client: string): FirstLoad & { loader: number } {
  const load = loadOf(client, readManifest(client, EMBED.manifest), [EMBED.entry]);
  return { ...load, loader: statSync(join(client, EMBED.loader)).size };
}

function loadOf(client: string, manifest: Manifest, modules: readonly string[]): FirstLoad {
  const names = new Set<string>();
  for (const module of modules) collect(manifest, module, names, new Set());
  const files = [...names].map((file) => ({ file, bytes: brotliBytes(join(client, file)) }));
  const sum = (ending: string) =>
    files.filter(({ file }) => file.endsWith(ending)).reduce((total, { bytes }) => total + bytes, 0);
  return { js: sum(".js"), css: sum(".css"), files: files.toSorted((a, b) => b.bytes - a.bytes) };
}

/** The messages that a page contains, in bytes of brotli. */
export function messageBytes(client: string, locale: string, namespaces: readonly string[]): number {
  const [file] = globSync(`assets/messages/*/${locale}/messages.json`, { cwd: client });
  if (file === undefined) throw new Error(`the build has no messages.json of ${locale}`);
  const all = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(join(client, file), "utf8")));
  return brotliCompressSync(JSON.stringify(namespaces.map((namespace) => all[namespace]))).length;
}

/** What the Telegram SDK adds to a page under `client`, in bytes of brotli: its client's chunk with all that only it imports. */
export function sdkBytes(client: string): number {
  const manifest = readManifest(client);
  const names = new Set<string>();
  collect(manifest, "src/telegram/client.ts", names, new Set());
  const loaded = new Set(firstLoad(client, "src/app/pages/exchange.tsx").files.map(({ file }) => file));
  return [...names]
    .filter((file) => file.endsWith(".js") && !loaded.has(file))
    .reduce((total, file) => total + brotliBytes(join(client, file)), 0);
}

/** Scripts of a first load that hold what only accounts need: a guest downloads none of them. */
export function accountFiles(client: string, page: string): string[] {
  const scripts = firstLoad(client, page).files.filter(({ file }) => file.endsWith(".js"));
  const holdsAccounts = (file: string) => {
    const code = readFileSync(join(client, file), "utf8");
    return ACCOUNT_TEXTS.some((text) => code.includes(text));
  };
  return scripts.flatMap(({ file }) => (holdsAccounts(file) ? [file] : []));
}
/** Their calls, and a field of the store of who is signed in (src/shared/account/account.ts). */
const ACCOUNT_TEXTS = ["/api/v1/users/", "isUnavailable"];

/** Chunks that import each other: one of them runs before the other is ready. */
export function circularChunks(client: string): string[] {
  return [".vite/manifest.json", EMBED.manifest].flatMap((file) => circlesIn(readManifest(client, file)));
}

function circlesIn(manifest: Manifest): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (key: string, path: readonly string[]): void => {
    if (path.includes(key)) found.push([...path.slice(path.indexOf(key)), key].join(" → "));
    if (path.includes(key) || done.has(key)) return;
    for (const imported of manifest[key]?.imports ?? []) visit(imported, [...path, key]);
    done.add(key);
  };
  for (const key of Object.keys(manifest)) visit(key, []);
  return found;
}

const readManifest = (client: string, file = ".vite/manifest.json"): Manifest =>
  manifestSchema.parse(JSON.parse(readFileSync(join(client, file), "utf8")));

function collect(manifest: Manifest, module: string, names: Set<string>, seen: Set<string>): void {
  if (seen.has(module)) return;
  seen.add(module);
  const chunk = manifest[module];
  if (!chunk) throw new Error(`the build has no ${module}`);
  names.add(chunk.file);
  for (const css of chunk.css) names.add(css);
  for (const imported of chunk.imports) collect(manifest, imported, names, seen);
}

/** As it is sent: the build's own `.br`, or the file itself where it was too small to be worth one. */
function brotliBytes(file: string): number {
  const packed = `${file}.br`;
  return existsSync(packed) ? statSync(packed).size : brotliCompressSync(readFileSync(file)).length;
}
