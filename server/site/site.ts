import { localePath, LOCALES } from "#contract/locale.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import { type EntryServer, isEmbed } from "#contract/site/ssr.ts";
import { keepFresh } from "../base/cached-answer.ts";
import { pathOf } from "../http/request-path.ts";
import { sendCompressed } from "../http/compress.ts";
import { createPageSender, type PageOptions } from "./page-sender.ts";
import { preloadLinks, readManifest, readTemplate } from "./page.ts";
import { EMBED_TEMPLATE, policyFor, type Renderer } from "./renderer.ts";
import { serveStatic } from "./static.ts";

export type SiteOptions = PageOptions & {
  /** Origins beyond our own that pages may call. */
  readonly connectOrigins?: readonly string[];
  /** Called for each page that is asked for, with its query. */
  readonly onPage?: (request: FastifyRequest) => void;
  /** Where the build lies: `client/` and `server/ssr.js`. */
  readonly distDir: string;
};

const PRIVATE = ["/order/", "/lk", "/profile"].flatMap((path) => LOCALES.map((locale) => localePath(locale, path)));
const DISALLOWED = ["/api/", "/dict/", ...PRIVATE, "/sandbox"];
/** Within what is disallowed: the longer path counts (RFC 9309). */
const ALLOWED = ["/api/openapi.json"];
/** It names what the catalogue has; search engines ask for it some times a day. */
const SITEMAP_MS = 60_000;
const RETRY = { retryAfterSeconds: 60 };

/** Every page, and the files that pages need; paths of calls (/api, /content, /dict, /sandbox) are not pages. */
export async function sitePlugin(app: FastifyInstance, options: SiteOptions): Promise<void> {
  const renderer = options.isDev
    ? await (await import("./dev.ts")).openDevRenderer(app, options.connectOrigins)
    : await openBuild(app, options);
  addSearchFiles(app, renderer, options.config.publicUrl);
  const sendPage = createPageSender(app, renderer, options);
  // Fastify's own answer to a HEAD would render the page to learn its length.
  app.route({
    method: ["GET", "HEAD"],
    url: "/*",
    handler: async (request, reply) => {
      if (isForOthers(pathOf(request))) return reply.callNotFound();
      if (request.method === "GET") options.onPage?.(request);
      return sendPage(request, reply);
    },
  });
}

const isForOthers = (path: string): boolean =>
  /^\/(?:api|content|dict|metrics)(?:\/|$)/.test(path) || /^\/sandbox\/./.test(path);

async function openBuild(app: FastifyInstance, { distDir, connectOrigins }: SiteOptions): Promise<Renderer> {
  const styles = new Map<string, string>();
  const readStyle = (file: string): string => {
    const style = styles.get(file) ?? readFileSync(join(distDir, "client", file), "utf8").trim();
    styles.set(file, style);
    return style;
  };
  const [template, embedTemplate, manifest, entry] = await Promise.all([
    readTemplate(distDir, readStyle),
    readTemplate(distDir, readStyle, EMBED_TEMPLATE),
    readManifest(distDir),
    import(pathToFileURL(join(distDir, "server/ssr.js")).href) as Promise<EntryServer>,
  ]);
  const policyOf = policyFor(template, connectOrigins);
  const linksFor = (modules: readonly string[], styled?: readonly string[]) =>
    preloadLinks(manifest, modules, template, readStyle, styled);
  await serveStatic(app, join(distDir, "client"), policyOf);
  const page = { template, entry, linksFor, policyOf };
  const embed = {
    ...page,
    template: embedTemplate,
    linksFor: () => "",
    policyOf: policyFor(embedTemplate, connectOrigins),
  };
  return { load: async (url) => (isEmbed(url) ? embed : page) };
}

/** robots.txt and the sitemap, both with the canonical origin in them. */
function addSearchFiles(app: FastifyInstance, renderer: Renderer, origin: string): void {
  const robots = [
    "User-agent: *",
    ...DISALLOWED.map((path) => `Disallow: ${path}`),
    ...ALLOWED.map((path) => `Allow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
  const sitemap = keepFresh(
    async () => (await renderer.load("/sitemap.xml")).entry.sitemap({ origin, api: app.callInProcess() }),
    { freshMs: SITEMAP_MS, log: app.log },
  );
  app.get("/robots.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(robots));
  for (const url of ["/sitemap.xml", "/sitemaps/*"])
    app.get(url, async (request, reply) => {
      const files = await sitemap.get();
      const path = pathOf(request);
      if (!Object.hasOwn(files, path)) return reply.callNotFound();
      const file = files[path] ?? null;
      if (file === null)
        throw new CodedError("ERR_SERVICE_UNAVAILABLE", "Its pages can't be read at the moment", RETRY);
      return sendCompressed(
        request,
        reply.type("application/xml; charset=utf-8").header("cache-control", "public, max-age=3600"),
        file,
      );
    });
}
