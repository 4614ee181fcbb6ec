import { sessionStore } from "../shared/browser/storage.ts";
import { untilReleased } from "./reload-hold.ts";
import { TAKE_OVER, workerContainer, workerRegistration } from "./worker.ts";

/** spec §9: the page reloads itself at most once in ten seconds. */
const GUARD_MS = 10_000;
const KEY = "wherry-reloaded-at";
/** iOS sometimes never says that the new worker has taken over. */
const TAKEOVER_MS = 3_000;

/** False when the page has reloaded itself less than ten seconds ago: a fault that a reload does not cure must not loop. */
export function claimReload(now = Date.now()): boolean {
  const last = Number(sessionStore.get(KEY) ?? 0);
  if (now - last < GUARD_MS) return false;
  sessionStore.set(KEY, String(now));
  return true;
}

let isReloading = false;

/** Lets the waiting worker take over, then loads this address anew; after what holds it, and not at all within the guard. */
export async function reloadIntoUpdate(): Promise<void> {
  if (isReloading) return;
  isReloading = true;
  try {
    await untilReleased();
    if (!claimReload()) return;
    const worker = (await workerRegistration())?.waiting;
    if (worker) await takeOver(worker);
    location.reload();
  } finally {
    isReloading = false;
  }
}

function takeOver(worker: ServiceWorker): Promise<void> {
  return new Promise((done) => {
    workerContainer()?.addEventListener("controllerchange", () => done(), { once: true });
    setTimeout(done, TAKEOVER_MS);
    worker.postMessage(TAKE_OVER);
  });
}
