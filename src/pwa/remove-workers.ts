/** An old worker that still controls this page stores what it has fetched a moment later. */
const STORED_AFTER_MS = 2_000;

/**
 * Unregisters every service worker and deletes all caches, now and once more. The worker of the kill switch does the same, but
 * Chromium at times leaves it waiting for minutes behind an old one that has nothing to do.
 */
export async function removeWorkers(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
  await deleteCaches();
  setTimeout(() => void deleteCaches(), STORED_AFTER_MS);
}

const deleteCaches = async (): Promise<boolean[]> =>
  Promise.all((await caches.keys()).map((name) => caches.delete(name)));
