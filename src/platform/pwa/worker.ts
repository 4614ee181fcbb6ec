/** What lets a waiting worker take over. */
export const TAKE_OVER = { type: "SKIP_WAITING" };

/** Undefined where the browser has no workers, and in an insecure context. */
export const workerContainer = (): ServiceWorkerContainer | undefined => navigator.serviceWorker;
