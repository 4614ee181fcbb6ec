/** What lets a waiting worker take over. */
export const TAKE_OVER = { type: "SKIP_WAITING" };

/** Undefined where the browser has no workers, and in an insecure context. */
export const workerContainer = (): ServiceWorkerContainer | undefined => navigator.serviceWorker;

/** Undefined too where the browser refuses workers, as to a frame that may keep nothing: the page is then updated without one. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await workerContainer()?.getRegistration();
  } catch (error) {
    console.debug("no worker may be here", error);
    return undefined;
  }
}
