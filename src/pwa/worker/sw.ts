import { setCacheNameDetails } from "workbox-core";
import { ExpirationPlugin } from "workbox-expiration";
import { matchPrecache, precache } from "workbox-precaching";
import { CacheFirst, NetworkFirst, NetworkOnly, type Strategy } from "workbox-strategies";
import { pageKey, type CachingStrategy, cachingStrategyOf } from "./caching-rules.ts";
import { articlesOf, deleteOutdatedCaches, filesOf, ON_DEMAND, pagesOf } from "./build-caches.ts";
import { openPages, startPages } from "./open-pages.ts";
import "./push.ts";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };
/** The id of `builds/latest.json`, put in by the build. */
declare const BUILD_ID: string;

const SHELL = "/shell.html";
const NETWORK_SECONDS = 4;
const MAX_PAGES = 20;
const MAX_ARTICLES = 60;
const MAX_PAGE_AGE_SECONDS = 7 * 86_400;
const MAX_ON_DEMAND = 40;
/** A page that comes late may not keep the worker from taking control. */
const TAKE_CONTROL_MS = 10_000;

// A cache for each build, so that a new one removes nothing from the open pages of the last.
setCacheNameDetails({ prefix: "", precache: filesOf(BUILD_ID), suffix: "" });
precache(self.__WB_MANIFEST);

/** Caches only pages that are the same for everybody: no errors, and nothing that the server calls private. */
const cachesPublicPages = {
  cacheWillUpdate: async ({ response }: { response: Response }) =>
    response.status === 200 && !/no-store|private/.test(response.headers.get("cache-control") ?? "") ? response : null,
};
const keyedWithoutOrigin = {
  cacheKeyWillBeUsed: async ({ request }: { request: Request }) => pageKey(new URL(request.url)),
};
const shellWithoutNetwork = { handlerDidError: () => matchPrecache(SHELL) };

const pages = new NetworkFirst({
  cacheName: pagesOf(BUILD_ID),
  networkTimeoutSeconds: NETWORK_SECONDS,
  matchOptions: { ignoreVary: true },
  plugins: [
    cachesPublicPages,
    keyedWithoutOrigin,
    shellWithoutNetwork,
    new ExpirationPlugin({ maxEntries: MAX_PAGES, maxAgeSeconds: MAX_PAGE_AGE_SECONDS }),
  ],
});
const articles = new NetworkFirst({
  cacheName: articlesOf(BUILD_ID),
  networkTimeoutSeconds: NETWORK_SECONDS,
  matchOptions: { ignoreVary: true },
  plugins: [cachesPublicPages, new ExpirationPlugin({ maxEntries: MAX_ARTICLES, maxAgeSeconds: MAX_PAGE_AGE_SECONDS })],
});
const privatePages = new NetworkOnly({ plugins: [shellWithoutNetwork] });
const onDemand = new CacheFirst({
  cacheName: ON_DEMAND,
  matchOptions: { ignoreVary: true },
  plugins: [new ExpirationPlugin({ maxEntries: MAX_ON_DEMAND })],
});

type Handler = (event: FetchEvent) => Promise<Response>;
const by =
  (strategy: Strategy): Handler =>
  (event) =>
    strategy.handle({ request: event.request, event });

const HANDLERS: Record<Exclude<CachingStrategy, "not handled">, Handler> = {
  "cache first": async (event) => (await caches.match(event.request.url, { ignoreVary: true })) ?? by(onDemand)(event),
  precached: async (event) => (await matchPrecache(event.request.url)) ?? fetch(event.request),
  "network first": by(pages),
  "text network first": by(articles),
  "network or shell": by(privatePages),
};

self.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  const strategy = cachingStrategyOf(
    { method, url: new URL(url), isNavigation: mode === "navigate" },
    self.location.origin,
  );
  if (strategy !== "not handled") event.respondWith(HANDLERS[strategy](event));
});

self.addEventListener("activate", (event) => event.waitUntil(takeControl(event)));

/** Pages that were loaded before the worker are cached before it controls them: a reload may find no network. */
async function takeControl(event: ExtendableEvent): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, TAKE_CONTROL_MS));
  await Promise.race([cacheOpenPages(event), late]);
  await self.clients.claim();
}

async function cacheOpenPages(event: ExtendableEvent): Promise<void> {
  const open = await openPages();
  await Promise.all([cachePages(open, event), startPages(open).then((pages) => cachePages(pages, event))]);
}

async function cachePages(urls: readonly URL[], event: ExtendableEvent): Promise<void> {
  const stored = urls
    .filter((url) => strategyOf(url) === "network first")
    .map((url) => pages.handleAll({ request: new Request(url, { headers: { accept: "text/html" } }), event })[1]);
  for (const result of await Promise.allSettled(stored))
    if (result.status === "rejected") console.debug("a page could not be cached", result.reason);
}

const strategyOf = (url: URL) => cachingStrategyOf({ method: "GET", url, isNavigation: true }, self.location.origin);

self.addEventListener("message", (event: ExtendableMessageEvent) => {
  const type = (event.data as { type?: unknown } | null)?.type;
  if (type === "SKIP_WAITING") event.waitUntil(self.skipWaiting());
  // A page has started, so that all open pages can say which builds are in use.
  if (type === "PAGE_READY") event.waitUntil(deleteOutdatedCaches(BUILD_ID));
});
