import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Holds the moment at which the last complete build began. */
export const STAMP = "dist/built";

const SOURCES = [
  "contract",
  "content",
  "locales",
  "public",
  "scripts/lib/content",
  "scripts/vite",
  "src",
  "index.html",
  "embed.html",
  "manifest.webmanifest",
  "package-lock.json",
  "vite.config.ts",
  "vite.embed.config.ts",
];

/** Whether the app under `folder` was built completely after everything that it is made of last changed. */
export function isFresh(folder: string): boolean {
  const stamp = join(folder, STAMP);
  if (!existsSync(stamp)) return false;
  const builtAt = Date.parse(readFileSync(stamp, "utf8").trim());
  return SOURCES.every((source) => newest(join(folder, source)) < builtAt);
}

/** The latest change under a path in milliseconds; a folder's own time covers files that were removed. */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
