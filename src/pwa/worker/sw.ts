import { setCacheNameDetails } from "workbox-core";
import { ExpirationPlugin } from "workbox-expiration";
import { matchPrecache, precache } from "workbox-precaching";
import { CacheFirst, NetworkFirst, NetworkOnly, type Strategy } from "workbox-strategies";
import { pageKey, type Treatment, treatmentOf } from "./caching-table.ts";
import { filesOf, ON_DEMAND, pagesOf } from "./kept-caches.ts";
import { dropOutdatedCaches } from "./open-builds.ts";
import "./push.ts";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };
/** The id of `builds/latest.json`, put in by the build. */
declare const BUILD_ID: string;

const SHELL = "/shell.html";
const NETWORK_SECONDS = 4;
const MOST_PAGES = 20;
const OLDEST_PAGE_SECONDS = 7 * 86_400;
const MOST_ON_DEMAND = 40;

// A cache for each build, so that a new one takes nothing from the open pages of the last.
setCacheNameDetails({ prefix: "", precache: filesOf(BUILD_ID), suffix: "" });
precache(self.__WB_MANIFEST);

/** Only a page that everybody gets: an error is no page, and what the server calls private stays private. */
const keepsGoodPages = {
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
    keepsGoodPages,
    keyedWithoutOrigin,
    shellWithoutNetwork,
    new ExpirationPlugin({ maxEntries: MOST_PAGES, maxAgeSeconds: OLDEST_PAGE_SECONDS }),
  ],
});
const privatePages = new NetworkOnly({ plugins: [shellWithoutNetwork] });
const onDemand = new CacheFirst({
  cacheName: ON_DEMAND,
  matchOptions: { ignoreVary: true },
  plugins: [new ExpirationPlugin({ maxEntries: MOST_ON_DEMAND })],
});

type Handler = (event: FetchEvent) => Promise<Response>;
const by =
  (strategy: Strategy): Handler =>
  (event) =>
    strategy.handle({ request: event.request, event });

const HANDLERS: Record<Exclude<Treatment, "left alone">, Handler> = {
  "kept first": async (event) => (await caches.match(event.request.url, { ignoreVary: true })) ?? by(onDemand)(event),
  "this build's": async (event) => (await matchPrecache(event.request.url)) ?? fetch(event.request),
  "network first": by(pages),
  "network or shell": by(privatePages),
};

self.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  const treatment = treatmentOf({ method, url: new URL(url), isNavigation: mode === "navigate" }, self.location.origin);
  if (treatment !== "left alone") event.respondWith(HANDLERS[treatment](event));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event: ExtendableMessageEvent) => {
  const type = (event.data as { type?: unknown } | null)?.type;
  if (type === "SKIP_WAITING") event.waitUntil(self.skipWaiting());
  // A page has come to life: whoever is open can say now which builds are still in use.
  if (type === "PAGE_READY") event.waitUntil(dropOutdatedCaches(BUILD_ID));
});
