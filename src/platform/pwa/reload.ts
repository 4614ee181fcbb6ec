import { sessionStore } from "../storage.ts";

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

/** Lets the waiting worker take over, then loads this address anew. Does nothing within the guard. */
export async function reloadIntoUpdate(): Promise<void> {
  if (!claimReload()) return;
  const worker = (await navigator.serviceWorker?.getRegistration())?.waiting;
  if (worker) await takeOver(worker);
  location.reload();
}

function takeOver(worker: ServiceWorker): Promise<void> {
  return new Promise((done) => {
    navigator.serviceWorker.addEventListener("controllerchange", () => done(), { once: true });
    setTimeout(done, TAKEOVER_MS);
    worker.postMessage({ type: "SKIP_WAITING" });
  });
}
