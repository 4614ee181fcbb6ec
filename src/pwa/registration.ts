import { Workbox } from "workbox-window";

let registration: Promise<Registration | null> | null = null;

export type Registration = { readonly workbox: Workbox; readonly worker: ServiceWorkerRegistration };

/**
 * Registers the service worker, once. Null where the browser has none, in an insecure context, and where the browser
 * refuses workers, as to a third-party frame: the page is then updated without one. A build with `WORKER=off` removes
 * workers instead, each time: an old one that still controls this page fills its caches again.
 */
export const registerWorker = (): Promise<Registration | null> => {
  if (import.meta.env.VITE_WORKER === "off") return register();
  return (registration ??= register());
};

async function register(): Promise<Registration | null> {
  try {
    if ((navigator.serviceWorker as ServiceWorkerContainer | undefined) === undefined) return null;
    if (import.meta.env.VITE_WORKER === "off") {
      await removeWorkers();
      return null;
    }
    const workbox = new Workbox("/sw.js", { updateViaCache: "none" });
    const worker = await workbox.register({ immediate: true });
    return worker === undefined ? null : { workbox, worker };
  } catch (error) {
    console.warn("no service worker here", error);
    return null;
  }
}

/** An old worker that still controls this page stores what it has fetched a moment later. */
const STORED_AFTER_MS = 2_000;

/**
 * Unregisters every service worker and deletes all caches, now and once more. The worker of the kill switch does the same, but
 * Chromium at times leaves it waiting for minutes behind an old one that has nothing to do.
 */
async function removeWorkers(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
  await deleteCaches();
  setTimeout(() => void deleteCaches(), STORED_AFTER_MS);
}

const deleteCaches = async (): Promise<boolean[]> =>
  Promise.all((await caches.keys()).map((name) => caches.delete(name)));
