import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from "workbox-precaching";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

const SHELL = "/shell.html";

// Only the build's own files are kept; answers, orders and pages never are, since they carry addresses and money.
precacheAndRoute(self.__WB_MANIFEST, { directoryIndex: "", cleanURLs: false });
cleanupOutdatedCaches();

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event: ExtendableMessageEvent) => {
  if ((event.data as { type?: unknown } | null)?.type === "SKIP_WAITING") event.waitUntil(self.skipWaiting());
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate" && isPage(new URL(event.request.url)))
    event.respondWith(navigate(event.request));
});

const isPage = ({ origin, pathname }: URL): boolean =>
  origin === self.location.origin && !/^\/(?:api|dict|sandbox|metrics)(?:\/|$)/.test(pathname);

/** The network's page; without a network the shell, which renders the same address from what the device has. */
async function navigate(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const shell = await matchPrecache(SHELL);
    if (shell === undefined) throw error;
    return shell;
  }
}
