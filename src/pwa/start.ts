import { onFirstTouch } from "../shared/page/first-touch.ts";
import { ownBuild } from "./build-id.ts";

const WATCH_AFTER_MS = 5_000;

/**
 * Registers the worker once the page stands, and looks for new builds from its reader's first touch on, or a few seconds later.
 * `preload` brings what tells of them while its file is surely there.
 */
export function startPwa(preload: () => Promise<unknown>): void {
  if (ownBuild() === "dev") return;
  let isLoading = false;
  const watch = async (isChunkGone: boolean) => {
    // Its own file may be the one that is gone: to answer that with itself would never end.
    if (isLoading) return;
    isLoading = true;
    try {
      const [{ look }] = await Promise.all([import("./watch.ts"), preload()]);
      isLoading = false;
      await look({ isChunkGone });
    } catch (error) {
      console.warn("new builds can't be looked for", error);
    } finally {
      isLoading = false;
    }
  };
  const begin = () => {
    register().catch((error: unknown) => console.warn("no service worker here", error));
    const off = onFirstTouch(() => void watch(false));
    setTimeout(() => {
      off();
      void watch(false);
    }, WATCH_AFTER_MS);
  };
  addEventListener("vite:preloadError", () => void watch(true));
  if (document.readyState === "complete") setTimeout(begin);
  else addEventListener("load", () => setTimeout(begin), { once: true });
}

/** Rejects where the browser refuses workers, as third-party frames do. */
async function register(): Promise<void> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  await container?.register("/sw.js", { updateViaCache: "none" });
}
