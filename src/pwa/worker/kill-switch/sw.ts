declare const self: ServiceWorkerGlobalScope;

/**
 * The worker of a build with `WORKER=off`: replaces any other worker, deletes all caches, and unregisters itself. Open
 * pages are not reloaded, since that could interrupt an order that is being created. See docs/pwa.md.
 */
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));

self.addEventListener("activate", (event) => event.waitUntil(removeWorker()));

async function removeWorker(): Promise<void> {
  await self.registration.unregister();
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}

export {};
