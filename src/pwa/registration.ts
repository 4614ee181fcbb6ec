import { Workbox } from "workbox-window";

let registration: Promise<Registration | null> | null = null;

export type Registration = { readonly workbox: Workbox; readonly worker: ServiceWorkerRegistration };

/**
 * Registers the service worker, once. Null where the browser has none, in an insecure context, and where the browser
 * refuses workers, as to a third-party frame: the page is then updated without one.
 */
export const registerWorker = (): Promise<Registration | null> => (registration ??= register());

async function register(): Promise<Registration | null> {
  try {
    if ((navigator.serviceWorker as ServiceWorkerContainer | undefined) === undefined) return null;
    const workbox = new Workbox("/sw.js", { updateViaCache: "none" });
    const worker = await workbox.register({ immediate: true });
    return worker === undefined ? null : { workbox, worker };
  } catch (error) {
    console.warn("no service worker here", error);
    return null;
  }
}
