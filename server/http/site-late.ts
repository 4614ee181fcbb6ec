/** Marks what the app is made of; the loader turns it into preloads. */
const REL = "late-module";

/** A module that the page loads once it was painted. */
export const lateModule = (file: string): string => `<link rel="${REL}" href="/${file}">`;

/**
 * Loads the app after the first paint, or at the first touch, or at once where nothing is painted (a tab in the background).
 * A page is read before it is used, and a phone's line and processor do one thing at a time.
 */
const LOADER = `(() => {
  let isBegun = false;
  const run = () => import("/ENTRY");
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    for (const link of document.querySelectorAll('link[rel="${REL}"]')) link.rel = "modulepreload";
    if (document.readyState !== "loading") return run();
    document.addEventListener("DOMContentLoaded", run, { once: true });
  };
  const isPaintSeen = window.PerformanceObserver && PerformanceObserver.supportedEntryTypes.includes("paint");
  if (document.visibilityState === "hidden" || !isPaintSeen) return begin();
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint").length > 0) begin();
  }).observe({ type: "paint", buffered: true });
  setTimeout(begin, 1_000);
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, begin, { once: true, capture: true });
})();`.replace(/\n\s*/g, "\n");

const ENTRY = /<script type="module"[^>]* src="\/([^"]+)"><\/script>/;

/** The built template with its scripts loaded late. */
export const loadLate = (template: string): string =>
  template
    .replace(/<link rel="modulepreload"[^>]* href="\/([^"]+)">/g, (_, file: string) => lateModule(file))
    .replace(
      ENTRY,
      (_, file: string) => `${lateModule(file)}\n    <script>${LOADER.replace("ENTRY", () => file)}</script>`,
    );
