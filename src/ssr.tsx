import { renderToString } from "react-dom/server";
import type { HealthStatus } from "#contract/health.ts";
import { type Api, isEmbed, type Rendered, type RenderRequest } from "#contract/site/ssr.ts";
import { App } from "./app/app.tsx";
import { renderEmbed } from "./app/embed/render-embed.tsx";
import { describeError } from "./app/router/page-error.ts";
import { isPageReplaced } from "./app/health/cycle.ts";
import { nonWorking } from "./app/health/use-health.tsx";
import { headTags, renderHead } from "./app/head/head.ts";
import { type PageData, writePageData } from "./app/router/page-data.ts";
import { locationKey, type PageLocation, parseLocation } from "./app/router/page-location.ts";
import type { PageView } from "./app/router/page-view.ts";
import { resolve } from "./app/router/resolve.ts";
import { inProcessApi, serverContext } from "./app/router/server-context.ts";
import { sitemapFiles } from "./app/head/sitemap.ts";
import { structuredData } from "./app/head/structured-data.ts";
import { allMessages } from "./shared/i18n/all-messages.ts";
import { createI18n, usedMessages } from "./shared/i18n/create-i18n.ts";
import { setQrEncoder } from "./shared/ui/graphics/qr-code.tsx";
import { encodeQr } from "./shared/ui/graphics/qr-drawing.ts";

setQrEncoder(encodeQr);

/** Renders one URL to HTML with its true status; see contract/site/ssr.ts. */
export async function render(request: RenderRequest): Promise<Rendered> {
  if (isEmbed(request.url)) return renderEmbed(request);
  const pageLocation = parseLocation(request.url);
  const { locale, path } = pageLocation;
  const i18n = createI18n(locale, allMessages(locale));
  const cookies: string[] = [];
  const context = serverContext(request, i18n, cookies);
  const [result, health] = await Promise.all([resolve(request.url, context), healthOf(context.api)]);
  if (result.kind === "redirect") return { redirect: result.to, status: result.status, cookies };

  const isReplaced = isPageReplaced(health, path);
  if (request.isStatusOnly) return unrendered(result, locale, isReplaced, cookies);
  if (isReplaced) await nonWorking.preload(i18n);
  const { now, isSandbox, origin, settings, isSignedIn = false } = request;
  const view = withoutSecrets(result, request.requestHeaders !== null);
  const requestHeaders = view.kind === "failed" ? request.requestHeaders : null;
  const [ssrPath = "/", ssrSearch = ""] = request.url.split("?", 2);
  const initial = {
    view,
    path,
    key: locationKey(pageLocation),
    now,
    isSandbox,
    isSignedIn,
    settings,
    health,
    requestHeaders,
  };
  const html = renderToString(<App i18n={i18n} initial={initial} ssrPath={ssrPath} ssrSearch={ssrSearch} />);
  const messages = usedMessages(i18n, view.kind === "page" ? view.route.namespaces : []);
  const tags = { view, i18n, path, query: pageLocation.query, origin };
  return {
    status: isReplaced ? 503 : statusOf(view),
    lang: locale,
    head: renderHead(headTags(tags)) + structuredData({ ...tags, settings }),
    html,
    data: writePageData({
      now,
      isSandbox,
      isSignedIn,
      settings,
      health,
      messages,
      requestHeaders,
      result: resultData(view),
    }),
    preload: [...modulesOf(pageLocation, view), ...(isReplaced ? [nonWorking.module] : [])],
    styles: view.kind === "page" ? (view.module.deferred ?? []).map(({ module }) => module) : [],
    isErrorPage: view.kind !== "page",
    cookies,
    ...failureOf(result),
  };
}

/** The page's true status, without the page. */
function unrendered(view: PageView, lang: string, isReplaced: boolean, cookies: readonly string[]): Rendered {
  const status = isReplaced ? 503 : statusOf(view);
  const nothing = { head: "", html: "", data: "", preload: [] };
  return { status, lang, ...nothing, isErrorPage: view.kind !== "page", cookies, ...failureOf(view) };
}

const failureOf = (view: PageView): { failure?: unknown } => (view.kind === "failed" ? { failure: view.error } : {});

/** The files of the sitemap; see contract/site/ssr.ts. */
export const sitemap = (request: Pick<RenderRequest, "origin" | "api">): Promise<Record<string, string | null>> =>
  sitemapFiles(request.origin, inProcessApi(request));

/** A page also renders while health can't be read: the browser checks it by itself. */
async function healthOf(api: Api): Promise<HealthStatus> {
  try {
    return (await api.call("health")).status;
  } catch (error) {
    console.warn("the service's health can't be read for a page", error);
    return "OK";
  }
}

function modulesOf({ query }: PageLocation, view: PageView): string[] {
  if (view.kind !== "page") return [];
  const parts = view.module.parts?.(query, view.data) ?? [];
  return [...new Set([view.route.module, ...parts.map((part) => part.module)])];
}

/** In production the cause of an error stays on the server. */
const withoutSecrets = (view: PageView, includesMessage: boolean): PageView =>
  view.kind === "failed" ? { kind: "failed", error: describeError(view.error, includesMessage) } : view;

/** What can't be had for a while is no fault of the page: a crawler comes back for it. */
function statusOf(view: PageView): 200 | 404 | 500 | 503 {
  if (view.kind === "page") return view.status;
  if (view.kind === "notFound") return 404;
  return describeError(view.error).status === 503 ? 503 : 500;
}

function resultData(view: PageView): PageData["result"] {
  if (view.kind === "page") return { kind: "page", status: view.status, data: view.data };
  return view.kind === "notFound" ? view : { kind: "failed", error: describeError(view.error) };
}
