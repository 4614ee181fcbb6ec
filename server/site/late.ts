/** Marks what the app is made of; the loader turns it into preloads. */
const REL = "late-module";

/** A module that the page loads once it was painted. */
export const lateModule = (file: string): string => `<link rel="${REL}" href="/${file}">`;

/**
 * Loads the app after the first paint, or at the first touch, or at once where nothing is painted (a tab in the background).
 * A page is read before it is used, and a phone's line and processor do one thing at a time; so what the entry imports runs
 * before it, as a task of its own.
 */
const LOADER = `(() => {
  let isBegun = false;
  const run = async () => {
    for (const file of FILES) await import(file);
  };
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
const IMPORTED = /<link rel="modulepreload"[^>]* href="\/([^"]+)">\s*/g;

/** The built template with its scripts loaded late; throws when it has none. */
export function loadLate(template: string): string {
  const [script, entry] = ENTRY.exec(template) ?? [];
  if (script === undefined || entry === undefined) throw new Error("the built template has no script of the app");
  const files = [...Array.from(template.matchAll(IMPORTED), ([, file = ""]) => file), entry];
  const loader = LOADER.replace("FILES", () => JSON.stringify(files.map((file) => `/${file}`)));
  return template
    .replace(IMPORTED, "")
    .replace(script, () => `${files.map(lateModule).join("")}<script>${loader}</script>`);
}
