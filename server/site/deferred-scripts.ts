// The scripts load after the first paint instead of beside it. Lighthouse mobile, exchange page, the same busy machine and
// minutes: LCP 1.3 s and TBT 3.3 s with it, LCP 3.9 s and TBT 11.6 s with plain module scripts and modulepreload links.

const REL = "deferred-module";

/** Names a module that the page loads after its first paint. */
export const deferredModule = (file: string): string => `<link rel="${REL}" href="/${file}">`;

/**
 * Loads the app after the first paint, at the first click or key, or at once where nothing is painted (a background tab). The
 * modules that the entry imports are evaluated one by one, so that each is a task of its own. The page's data must be there:
 * `readyState` doesn't say so, as a page that is left while it is parsed becomes "complete" with half of its markup.
 */
const LOADER = `(() => {
  const parsed = new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
  let hasBegun = false;
  const run = async () => {
    try {
      for (const file of FILES) await import(file);
    } catch (error) {
      console.error("the app can't be loaded", error);
      dispatchEvent(new Event("start-failed"));
    }
  };
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    for (const link of document.querySelectorAll('link[rel="${REL}"]')) link.rel = "modulepreload";
    void parsed.then(run);
  };
  const seesPaints = window.PerformanceObserver && PerformanceObserver.supportedEntryTypes.includes("paint");
  if (document.visibilityState === "hidden" || !seesPaints) return begin();
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint").length > 0) begin();
  }).observe({ type: "paint", buffered: true });
  setTimeout(begin, 1_000);
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, begin, { once: true, capture: true });
})();`.replace(/\n\s*/g, "\n");

const ENTRY = /<script type="module"[^>]* src="\/([^"]+)"><\/script>/;
const IMPORTED = /<link rel="modulepreload"[^>]* href="\/([^"]+)">\s*/g;

/** Replaces the built template's scripts by the loader; throws when it has none. */
export function deferScripts(template: string): string {
  const [script, entry] = ENTRY.exec(template) ?? [];
  if (script === undefined || entry === undefined) throw new Error("the built template has no script of the app");
  const files = [...Array.from(template.matchAll(IMPORTED), ([, file = ""]) => file), entry];
  const loader = LOADER.replace("FILES", () => JSON.stringify(files.map((file) => `/${file}`)));
  return template
    .replace(IMPORTED, "")
    .replace(script, () => `${files.map(deferredModule).join("")}<script>${loader}</script>`);
}
