import { onFirstTouch } from "../shared/page/first-touch.ts";
import { ownBuild } from "./build.ts";

const CHECK_AFTER_MS = 5_000;
/** The worker fetches a hundred files. Beside hydration that doubles its blocking time: 250 ms → 110 ms, medians of ten traces each. */
const REGISTER_AFTER_MS = 2_000;

/**
 * Registers the service worker once the page has loaded and come to rest, and checks for updates from the first touch on, or a few seconds later.
 * `preload` loads the toasts while their files are surely there.
 */
export function startPwa(preload: () => Promise<unknown>): void {
  if (ownBuild() === "dev") return;
  let isLoading = false;
  const check = async (isChunkGone: boolean) => {
    // Its own chunk may be the missing one: to answer that with itself would never end.
    if (isLoading) return;
    isLoading = true;
    try {
      const parts = [import("./update-check.ts"), preload()] as const;
      // The one that fails last would be answered with both again, without end.
      await Promise.allSettled(parts);
      const [{ checkForUpdate }] = await Promise.all(parts);
      isLoading = false;
      await checkForUpdate({ isChunkGone });
    } catch (error) {
      console.warn("the check for updates can't be loaded", error);
    } finally {
      isLoading = false;
    }
  };
  const begin = () => {
    setTimeout(() => void register(), REGISTER_AFTER_MS);
    const off = onFirstTouch(() => void check(false));
    setTimeout(() => {
      off();
      void check(false);
    }, CHECK_AFTER_MS);
  };
  addEventListener("vite:preloadError", () => void check(true));
  if (document.readyState === "complete") setTimeout(begin);
  else addEventListener("load", () => setTimeout(begin), { once: true });
}

async function register(): Promise<void> {
  try {
    await (await import("./registration.ts")).registerWorker();
  } catch (error) {
    console.warn("no service worker here", error);
  }
}
