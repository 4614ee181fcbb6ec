import { registerWorker } from "./worker.ts";
import { checkForUpdate, ownBuild } from "./updates.ts";

const CHECK_MS = 10 * 60_000;
/** A resumed phone fires several events at once. */
const THROTTLE_MS = 30_000;

/** Registers the worker and begins to look for new builds, once the page has nothing better to do. */
export function startPwa(): void {
  if (ownBuild() === "dev") return;
  const begin = () => {
    watchBuilds();
    registerWorker().catch((error: unknown) => console.warn("no service worker here", error));
  };
  if (document.readyState === "complete") setTimeout(begin);
  else addEventListener("load", () => setTimeout(begin), { once: true });
}

/** At the start, on resume, every ten minutes, and when a chunk of this build is gone. */
function watchBuilds(): void {
  let checkedAt = -Infinity;
  const check = () => {
    if (document.visibilityState !== "visible" || !navigator.onLine) return;
    if (performance.now() - checkedAt < THROTTLE_MS) return;
    checkedAt = performance.now();
    void checkForUpdate();
  };
  check();
  for (const event of ["focus", "pageshow", "online"]) addEventListener(event, check);
  document.addEventListener("visibilitychange", check);
  setInterval(check, CHECK_MS);
  addEventListener("vite:preloadError", () => {
    checkedAt = -Infinity;
    check();
  });
}
