import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";

const PLACEHOLDERS = /<!--(?:head|app|data)-->/g;

/** What the shell paints before any script runs, without a language: the header and its name. */
const SHELL_HEADER =
  '<div class="w-frame"><div class="w-header"><div class="w-header__row w-page"><span class="w-header__brand">' +
  '<img src="/icons/icon.svg" width="32" height="32" alt=""><span>Wherry</span></span></div></div></div>';

/** Names the build, and writes what stands beside it: `shell.html` (the page that opens without a network) and `builds/latest.json`. */
export function buildFiles({ hasWorker }: { hasWorker: boolean }): Plugin {
  return {
    name: "wherry:build-files",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") throw new Error("the build has no index.html");
        const named = [...Object.keys(bundle).sort(), ...(hasWorker ? [] : ["no worker"])];
        const id = createHash("sha256").update(named.join("\n")).digest("hex").slice(0, 16);
        const html = String(page.source).replace('name="build" content="dev"', `name="build" content="${id}"`);
        page.source = html;
        const shell = html
          .replace("<!--app-->", SHELL_HEADER)
          .replace(PLACEHOLDERS, "")
          .replace("<head>", "<head>\n    <title>Wherry</title>");
        this.emitFile({ type: "asset", fileName: "shell.html", source: shell });
        this.emitFile({
          type: "asset",
          fileName: "builds/latest.json",
          source: JSON.stringify({ id, timestamp: Date.now() }),
        });
      },
    },
  };
}

/** Gives the worker, which is built last, the id of its build. */
export function workerBuild(): Plugin {
  return {
    name: "wherry:worker-build",
    config({ root = ".", build }) {
      const latest = readFileSync(resolve(root, build?.outDir ?? "dist", "builds/latest.json"), "utf8");
      const { id } = JSON.parse(latest) as { id: string };
      return { define: { BUILD_ID: JSON.stringify(id) } };
    },
  };
}
