import { renderToString } from "react-dom/server";
import type { HealthStatus } from "#contract/health-call.ts";
import type { Api, Rendered, RenderRequest } from "#contract/ssr.ts";
import { App } from "./app/app.tsx";
import { describeFailure } from "./app/failure.ts";
import { isReplaced } from "./app/health/replaced.ts";
import { headTags, renderHead } from "./app/head/head.ts";
import { type PageData, writePageData } from "./app/router/page-data.ts";
import { type Address, addressKey, parseAddress, resolve, type Shown } from "./app/router/resolve.ts";
import { inProcess, serverWorld } from "./app/router/server-world.ts";
import { sitemapXml } from "./app/head/sitemap.ts";
import { structuredData } from "./app/head/structured-data.ts";
import { loadMessages, messagesModule } from "./shared/i18n/messages.ts";
import { createTranslator } from "./shared/i18n/translator.ts";
import { drawQr } from "./shared/ui/qr-drawing.ts";
import { giveQrEncoder } from "./shared/ui/qr-encoder.ts";

giveQrEncoder(drawQr);

/** Renders one address to HTML with its true status; see contract/ssr.ts. */
export async function render(request: RenderRequest): Promise<Rendered> {
  const address = parseAddress(request.url);
  const { locale, path } = address;
  const words = createTranslator(locale, await loadMessages(locale, "shared"));
  const cookies: string[] = [];
  const world = serverWorld(request, words, cookies);
  const [outcome, health] = await Promise.all([resolve(request.url, world), healthOf(world.api)]);
  if (outcome.kind === "redirect") return { redirect: outcome.to, status: outcome.status, cookies };

  const { now, isSandbox, origin, settings } = request;
  const shown = withoutSecrets(outcome, request.shownHeaders !== null);
  const shownHeaders = shown.kind === "failed" ? request.shownHeaders : null;
  const [ssrPath = "/", ssrSearch = ""] = request.url.split("?", 2);
  const first = { shown, path, key: addressKey(address), now, isSandbox, settings, health, shownHeaders };
  const html = renderToString(<App words={words} first={first} ssrPath={ssrPath} ssrSearch={ssrSearch} />);
  const tags = { shown, words, path, query: address.query, origin };
  return {
    status: isReplaced(health, path) ? 503 : statusOf(shown),
    lang: locale,
    head: renderHead(headTags(tags)) + structuredData(tags),
    html,
    data: writePageData({ now, isSandbox, settings, health, shownHeaders, outcome: outcomeData(shown) }),
    preload: modulesOf(address, shown),
    isErrorPage: shown.kind !== "page",
    cookies,
    ...(outcome.kind === "failed" ? { failure: outcome.error } : {}),
  };
}

/** Every page that search engines may keep; see contract/ssr.ts. */
export const sitemap = (request: Pick<RenderRequest, "origin" | "api">): Promise<string> =>
  sitemapXml(request.origin, inProcess(request));

/** A service that can't say how it is still renders: the browser's own watch will tell. */
async function healthOf(api: Api): Promise<HealthStatus> {
  try {
    return (await api.call("health")).status;
  } catch (error) {
    console.warn("the health of the service can't be read for a page", error);
    return "OK";
  }
}

function modulesOf({ locale, query }: Address, shown: Shown): string[] {
  const shared = messagesModule(locale, "shared");
  if (shown.kind !== "page") return [shared];
  const { module, words } = shown.route;
  const parts = shown.module.parts?.(query, shown.data) ?? [];
  const allWords = [...words, ...parts.flatMap((part) => part.words)].map((part) => messagesModule(locale, part));
  return [...new Set([shared, module, ...parts.map((part) => part.module), ...allWords])];
}

/** A failure's cause stays on the server in production. */
const withoutSecrets = (shown: Shown, isTold: boolean): Shown =>
  shown.kind === "failed" ? { kind: "failed", error: describeFailure(shown.error, isTold) } : shown;

function statusOf(shown: Shown): 200 | 404 | 500 {
  if (shown.kind === "page") return shown.status;
  return shown.kind === "notFound" ? 404 : 500;
}

function outcomeData(shown: Shown): PageData["outcome"] {
  if (shown.kind === "page") return { kind: "page", status: shown.status, data: shown.data };
  return shown.kind === "notFound" ? shown : { kind: "failed", error: describeFailure(shown.error) };
}
