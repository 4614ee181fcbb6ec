import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SANDBOX_TOKEN_META } from "#contract/sandbox.ts";
import { DEFAULT_SITE_SETTINGS, type SiteSettings } from "#contract/ssr.ts";
import type { EntryServer } from "#contract/ssr.ts";
import { scanningPagePolicy } from "../http/security-headers.ts";
import { sendCompressed } from "./compress.ts";
import { fillTemplate, PLAIN_ERROR_PAGE, preloadLinks, readManifest, readTemplate } from "./page.ts";
import { policyFor, type Renderer } from "./renderer.ts";
import { serveStatic } from "./static.ts";

export type SiteOptions = {
  readonly config: { readonly publicUrl: string; readonly sandbox: boolean; readonly production: boolean };
  readonly settings?: SiteSettings;
  /** Origins beyond our own that pages may call. */
  readonly connectOrigins?: readonly string[];
  /** Where the build lies: `client/` and `server/ssr.js`. */
  readonly distDir: string;
  /** The business clock: ages on a page count from it. */
  readonly clock: { now(): Date };
  /** What a page needs to use the sandbox; null for a request that may not. */
  readonly sandboxTokenFor?: (request: FastifyRequest) => string | null;
  /** Serves from source through Vite instead of the build. */
  readonly isDev?: boolean;
};

const SECRET_HEADERS = new Set(["authorization", "cookie", "proxy-authorization"]);
const RETRY_AFTER_SECONDS = 30;
const DISALLOWED = ["/api/", "/dict/", "/order/", "/ru/order/", "/sandbox"];
const CRAWLER = /bot\b|crawl|spider|slurp|bingpreview|facebookexternalhit/i;

/** Every page, and the files that pages need; paths under /api and /sandbox are not pages. */
export async function sitePlugin(app: FastifyInstance, options: SiteOptions): Promise<void> {
  const renderer = options.isDev
    ? await (await import("./dev.ts")).openDevRenderer(app, options.connectOrigins)
    : await openBuild(app, options);
  addSearchFiles(app, renderer, options.config.publicUrl);
  app.get("/*", async (request, reply) => {
    if (isForOthers(request.url)) return reply.callNotFound();
    return sendPage(app, renderer, options, request, reply);
  });
}

const isForOthers = (url: string): boolean =>
  /^\/(?:api|dict|metrics)(?:[/?]|$)/.test(url) || /^\/sandbox\/./.test(url);

async function openBuild(app: FastifyInstance, { distDir, connectOrigins }: SiteOptions): Promise<Renderer> {
  const styles = new Map<string, string>();
  const readStyle = (file: string): string => {
    const style = styles.get(file) ?? readFileSync(join(distDir, "client", file), "utf8").trim();
    styles.set(file, style);
    return style;
  };
  const [template, manifest, entry] = await Promise.all([
    readTemplate(distDir, readStyle),
    readManifest(distDir),
    import(pathToFileURL(join(distDir, "server/ssr.js")).href) as Promise<EntryServer>,
  ]);
  const policyOf = policyFor(template, connectOrigins);
  const linksFor = (modules: readonly string[]) => preloadLinks(manifest, modules, template, readStyle);
  await serveStatic(app, join(distDir, "client"), policyOf);
  return { load: async () => ({ template, entry, linksFor, policyOf }) };
}

async function sendPage(
  app: FastifyInstance,
  renderer: Renderer,
  { config, clock, settings = DEFAULT_SITE_SETTINGS, sandboxTokenFor = () => null }: SiteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header("cache-control", isPrivate(request.url) ? "no-store" : "no-cache");
  try {
    const { template, entry, linksFor, policyOf } = await renderer.load(request.url);
    reply.header("content-security-policy", policyOf(request));
    if (readsQrCodes(request.url)) reply.header("permissions-policy", scanningPagePolicy);
    const rendered = await entry.render({
      url: request.url,
      origin: config.publicUrl,
      now: clock.now().toISOString(),
      isSandbox: config.sandbox,
      settings,
      requestHeaders: config.production ? null : withoutSecrets(request.headers),
      api: app.callInProcess,
    });
    if (rendered.cookies.length > 0) reply.header("set-cookie", [...rendered.cookies]);
    if (rendered.redirect !== undefined) return await reply.redirect(rendered.redirect, rendered.status);
    if ("failure" in rendered) request.log.error({ err: rendered.failure }, "a page's data can't be loaded");
    reply.code(rendered.status);
    if (rendered.status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
    // A crawler gets an error's status alone (spec §2).
    if (rendered.isErrorPage && isCrawler(request)) return await sendHtml(request, reply, "");
    const links = linksFor(rendered.preload) + sandboxTokenTag(sandboxTokenFor(request));
    return await sendHtml(request, reply, fillTemplate(template, rendered, links));
  } catch (error) {
    request.log.error({ err: error }, "a page can't be rendered");
    return sendHtml(request, reply.code(500), isCrawler(request) ? "" : PLAIN_ERROR_PAGE);
  }
}

const sandboxTokenTag = (token: string | null): string =>
  token === null ? "" : `<meta name="${SANDBOX_TOKEN_META}" content="${token}">`;

const readsQrCodes = (url: string): boolean => /^(?:\/ru)?\/(?:exchange-|order\/)/.test(url);

/** An order's address opens the order: its page is never stored. */
const isPrivate = (url: string): boolean => /^(?:\/ru)?\/order\//.test(url);

/** Headers that an error page may show: without credentials. */
const withoutSecrets = (headers: FastifyRequest["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || SECRET_HEADERS.has(name) ? [] : [[name, String(value)]],
    ),
  );

const isCrawler = (request: FastifyRequest): boolean => CRAWLER.test(request.headers["user-agent"] ?? "");

const sendHtml = (request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> =>
  sendCompressed(request, reply.type("text/html; charset=utf-8"), html);

/** robots.txt and sitemap.xml, both with the canonical origin in them. */
function addSearchFiles(app: FastifyInstance, renderer: Renderer, origin: string): void {
  const robots = [
    "User-agent: *",
    ...DISALLOWED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
  app.get("/robots.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(robots));
  app.get("/sitemap.xml", async (request, reply) => {
    const { entry } = await renderer.load(request.url);
    const sitemap = await entry.sitemap({ origin, api: app.callInProcess });
    return sendCompressed(
      request,
      reply.type("application/xml; charset=utf-8").header("cache-control", "public, max-age=3600"),
      sitemap,
    );
  });
}
