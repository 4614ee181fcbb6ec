import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { type EntryServer, isEmbed } from "#contract/site/ssr.ts";
import { EMBED_TEMPLATE, policyFor, type Renderer } from "./renderer.ts";

/** Renders from source and lets Vite answer for modules: pages change as files are saved. */
export async function openDevRenderer(app: FastifyInstance, connect: readonly string[] = []): Promise<Renderer> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    appType: "custom",
    server: { middlewareMode: true },
    // A bundled configuration is a file that comes and goes, for which `node --watch` would restart for ever.
    configLoader: "native",
  });
  app.addHook("onClose", () => vite.close());
  app.addHook("onRequest", (request, reply, done) => {
    if (/^\/(?:api|dict|sandbox)(?:\/|$)/.test(request.url)) return done();
    vite.middlewares(request.raw, reply.raw, () => done());
  });
  return {
    async load(url) {
      const source = await readFile(isEmbed(url) ? EMBED_TEMPLATE : "index.html", "utf8");
      const [template, entry] = await Promise.all([
        vite.transformIndexHtml(url, source),
        vite.ssrLoadModule("/src/ssr.tsx") as Promise<EntryServer>,
      ]);
      // The page talks to Vite over a socket of its own.
      return { template, entry, linksFor: () => "", policyOf: policyFor(template, ["ws:", ...connect]) };
    },
  };
}
