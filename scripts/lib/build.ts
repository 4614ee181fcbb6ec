import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ContentError } from "./content/article-file.ts";
import { buildContent } from "./content/build-content.ts";
import { isFresh, STAMP } from "./freshness.ts";
import { root, runNode } from "./run.ts";
import { SBOM, writeSbom } from "./sbom.ts";

const vite = join(root, "node_modules/vite/bin/vite.js");

/** Builds the app: what browsers load (with the service worker and the widget) and what renders its pages on the server; the articles; and the bill of materials. */
export async function build(): Promise<void> {
  const startedAt = new Date();
  rmSync(join(root, STAMP), { force: true });
  await buildArticles();
  await vitely("build");
  await vitely("build", "--config", "vite.embed.config.ts");
  await vitely("build", "--ssr", "src/ssr.tsx");
  writeSbom(join(root, SBOM));
  // The moment at which the build began: a file saved during it makes the build old.
  writeFileSync(join(root, STAMP), `${startedAt.toISOString()}\n`);
}

/** Builds unless everything was built after its sources last changed. */
export async function buildIfOld(): Promise<void> {
  if (isFresh(root)) return;
  console.log("building the app");
  await build();
}

/** Builds the articles of `content/`; ends the process at the first file that is wrong. */
export async function buildArticles(): Promise<void> {
  try {
    await buildContent(join(root, "content"), join(root, "dist/content"));
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    console.error(`the articles can't be built: ${error.message}`);
    process.exit(1);
  }
}

async function vitely(...args: string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: "production" };
  const code = await runNode([vite, ...args, "--logLevel", "warn"], { env });
  if (code === 0) return;
  // Vite has printed the reason; a trace of this script would only hide it.
  console.error(`the app can't be built: vite ${args.join(" ")} failed`);
  process.exit(1);
}
