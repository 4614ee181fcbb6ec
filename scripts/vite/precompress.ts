import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(?:js|css|svg|json|webmanifest|txt|html)$/;
/** Completed by the server before they are sent. */
const TEMPLATES = new Set(["index.html", "embed.html"]);
/** Below this a header costs more than it saves. */
const MIN_BYTES = 512;

/** Puts a `.br` (quality 11) and a `.gz` beside every text file, once, after everything else of the build is written; `own` are the files of a build that adds to another one. */
export function precompress(own = /(?:)/): Plugin {
  let outDir = "";
  return {
    name: "wherry:precompress",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      outDir = config.build.outDir;
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        const files = readdirSync(outDir, { recursive: true, encoding: "utf8" });
        await Promise.all(
          files
            .filter((file) => TEXT.test(file) && own.test(file) && !TEMPLATES.has(file))
            .map((file) => compress(join(outDir, file))),
        );
      },
    },
  };
}

async function compress(file: string): Promise<void> {
  const bytes = readFileSync(file);
  if (bytes.length < MIN_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, zipped);
}
