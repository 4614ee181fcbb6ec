declare const self: ServiceWorkerGlobalScope;

/**
 * The worker of a build that is to have none: takes the place of any other, deletes what it kept, and unregisters itself. Pages
 * that are open stay as they are, since a reload could cut off an order that is being created. See docs/pwa.md.
 */
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));

self.addEventListener("activate", (event) => event.waitUntil(retire()));

async function retire(): Promise<void> {
  await self.registration.unregister();
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}

export {};
