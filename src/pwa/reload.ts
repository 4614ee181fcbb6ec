import { sessionStore } from "../shared/browser/storage.ts";
import { registerWorker, type Registration } from "./registration.ts";
import { whenUnblocked } from "./reload-block.ts";

/** spec §9: the page reloads itself at most once in ten seconds. */
const GUARD_MS = 10_000;
const KEY = "wherry-reloaded-at";
/** iOS sometimes never says that the new worker controls the page. */
const CONTROL_TIMEOUT_MS = 3_000;

/** False when the page has reloaded itself less than ten seconds ago: an error that a reload does not cure must not loop. */
function claimReload(): boolean {
  const now = Date.now();
  const last = Number(sessionStore.get(KEY) ?? 0);
  // A time that lies ahead is of a clock that was set back since.
  if (last <= now && now - last < GUARD_MS) return false;
  sessionStore.set(KEY, String(now));
  return true;
}

let isReloading = false;

/** Activates the waiting worker, then reloads the page: once nothing blocks it, and not at all within the guard. */
export async function reloadIntoUpdate(): Promise<void> {
  if (isReloading) return;
  isReloading = true;
  try {
    await whenUnblocked();
    if (!claimReload()) return;
    const registration = await registerWorker();
    if (registration?.worker.waiting) await activate(registration);
    location.reload();
  } finally {
    isReloading = false;
  }
}

function activate({ workbox }: Registration): Promise<void> {
  return new Promise((done) => {
    workbox.addEventListener("controlling", () => done());
    setTimeout(done, CONTROL_TIMEOUT_MS);
    workbox.messageSkipWaiting();
  });
}
