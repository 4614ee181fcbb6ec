import type { Plugin } from "vite";

const SOURCE = "src/app/embed/loader.ts";

/** Writes `/embed.js`, whose name never changes: other sites have it in their pages. */
export function embedLoader(): Plugin {
  return {
    name: "wherry:embed-loader",
    buildStart() {
      this.emitFile({ type: "chunk", id: SOURCE, fileName: "embed.js" });
    },
    generateBundle(_options, bundle) {
      const loader = bundle["embed.js"];
      if (loader?.type !== "chunk") throw new Error("the build has no embed.js");
      // It is loaded as a plain script.
      if (loader.imports.length > 0 || loader.exports.length > 0)
        throw new Error(`embed.js must stand alone, and imports ${loader.imports.join(", ")}`);
    },
  };
}

/** Serves it from source. */
export const servedEmbedLoader = (): Plugin => ({
  name: "wherry:served-embed-loader",
  apply: "serve",
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.url === "/embed.js") request.url = `/${SOURCE}`;
      next();
    });
  },
});
